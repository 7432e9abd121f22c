// Where a person pays a provider, for a profile whose credit is used up.
import { call } from "../ipc/client";

const PAGES: Readonly<Record<string, string>> = {
  anthropic: "https://console.anthropic.com/settings/billing",
  gemini: "https://ai.google.dev/gemini-api/docs/billing",
  openai: "https://platform.openai.com/settings/organization/billing/overview",
};

/** The provider's page for a profile; empty where none is known, as for servers at an address of their own. */
export async function billingPage(profile: string): Promise<string> {
  try {
    const card = (await call("list_profiles", {})).profiles.find(({ name }) => name === profile);
    return card && card.base_url === "" ? (PAGES[card.provider] ?? "") : "";
  } catch {
    // Whoever cannot be led there still reads what happened.
    return "";
  }
}
