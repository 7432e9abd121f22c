// The rules for tools of the host without a program.
import type { Commands, PermissionRules, StandingRule } from "../ipc/bindings";
import { apiError } from "./fake-error";

type Names = "list_rules" | "add_rule" | "remove_rule";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };

const DAY = 86_400_000;
const tools = ["publish_page", "read_page", "search_library", "send_letter", "files/write_file"];

export function toolRules(): Handlers {
  const now = Date.now();
  let rules: StandingRule[] = [
    {
      rule: "publish_page@printing-house.example.org",
      is_allowed: true,
      is_readable: true,
      since_ms: now - 40 * DAY,
      last_used_ms: now - 3_600_000,
    },
    { rule: "send letter", is_allowed: false, is_readable: false, since_ms: null, last_used_ms: null },
    { rule: "send_letter", is_allowed: false, is_readable: true, since_ms: now - DAY, last_used_ms: null },
  ];
  const all = (): PermissionRules => ({
    rules: [...rules].sort((one, other) => one.rule.localeCompare(other.rule)),
    tools,
  });
  return {
    list_rules: all,
    add_rule({ rule, is_allowed }) {
      if (/\s/.test(rule))
        throw apiError("bad_input", `“${rule}” is no rule; write TOOL, or TOOL@HOST for one host: post@example.org`);
      const others = rules.filter((one) => one.rule !== rule);
      rules = [...others, { rule, is_allowed, is_readable: true, since_ms: Date.now(), last_used_ms: null }];
      return all();
    },
    remove_rule({ rule }) {
      if (!rules.some((one) => one.rule === rule)) throw apiError("not_found", `There is no rule “${rule}”`);
      rules = rules.filter((one) => one.rule !== rule);
      return all();
    },
  };
}
