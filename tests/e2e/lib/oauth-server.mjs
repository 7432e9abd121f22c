// An MCP server over HTTP behind OAuth, with its authorization server: it refuses what a real one refuses. Tests of the
// program's own side of this are in Rust, with a stricter one of the test kit.
// @ts-check
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { listening } from "./place.mjs";

/** A sign-in may be asked for these: `read` is needed for all that the server does, `write` for its tool `erase`. */
const SCOPES = ["read", "write", "offline_access"];
const TOOLS = [
  { name: "look", description: "Looks.", inputSchema: { type: "object" } },
  { name: "erase", description: "Erases.", inputSchema: { type: "object" } },
];

/**
 * The tokens of a sign-in.
 *
 * @typedef {{ client: string, scopes: string[], access: string, refresh: string, isRevoked: boolean }} Grant
 */
/** @typedef {{ client: string, redirect: string, challenge: string, scopes: string[], grant: Grant | null }} Code */
/** @typedef {{ status: number, body?: unknown, headers?: Record<string, string> }} Reply */

const newWord = (/** @type {string} */ kind) => `${kind}-${randomBytes(16).toString("base64url")}`;

/**
 * Gives the address of the MCP server, the tools that were called with success, what was refused and why, how many
 * sign-ins were ended, and what ends all tokens without the program's knowledge.
 *
 * @param {import("./place.mjs").Place} at
 * @returns {Promise<
 *   { url: string, called: string[], refused: string[], revoked: () => number, endTokens: () => void }
 * >}
 */
export async function oauthServer(at) {
  let base = "";
  let revoked = 0;
  /** @type {string[]} */
  const called = [];
  /** @type {string[]} */
  const refused = [];
  /** @type {Map<string, string[]>} the addresses that a client may be sent back to */
  const clients = new Map();
  /** @type {Map<string, Code>} */
  const codes = new Map();
  /** @type {Grant[]} */
  const grants = [];

  /** @param {string} error @param {string} why @returns {Reply} */
  function refuse(error, why) {
    refused.push(`${error}: ${why}`);
    return { status: 400, body: { error, error_description: why } };
  }

  /** @param {any} asked @returns {Reply} */
  function register(asked) {
    const redirects = asked.redirect_uris ?? [];
    if (
      redirects.length === 0 ||
      !redirects.every((/** @type {string} */ uri) => uri.startsWith("http://127.0.0.1:"))
    ) {
      return refuse("invalid_redirect_uri", "only the loopback");
    }
    if (asked.token_endpoint_auth_method !== "none" || asked.application_type !== "native" || !asked.client_name) {
      return refuse("invalid_client_metadata", "a native program with a name and without a secret");
    }
    const id = newWord("client");
    clients.set(id, redirects);
    return { status: 201, body: { client_id: id, client_name: asked.client_name, redirect_uris: redirects } };
  }

  /** The page where a person signs in; this person does so at once. @param {URLSearchParams} asked @returns {Reply} */
  function authorize(asked) {
    const of = (/** @type {string} */ name) => asked.get(name) ?? "";
    const redirect = of("redirect_uri");
    if (!clients.get(of("client_id"))?.includes(redirect))
      return refuse("invalid_request", "no such client, or another redirect_uri");
    const hasChallenge = of("code_challenge_method") === "S256" && of("code_challenge").length === 43;
    if (
      of("response_type") !== "code" ||
      !hasChallenge ||
      of("state").length < 16 ||
      of("resource") !== `${base}/mcp`
    ) {
      return refuse("invalid_request", "response_type, code_challenge, state or resource");
    }
    const scopes = of("scope").split(" ");
    if (!scopes.every((scope) => SCOPES.includes(scope))) return refuse("invalid_scope", of("scope"));
    const code = newWord("code");
    codes.set(code, { client: of("client_id"), redirect, challenge: of("code_challenge"), scopes, grant: null });
    return {
      status: 302,
      headers: { location: `${redirect}?${new URLSearchParams({ state: of("state"), iss: base, code })}` },
    };
  }

  /** New tokens; the refresh token so far is used up. @param {Grant} grant @returns {Reply} */
  function give(grant) {
    [grant.access, grant.refresh] = [newWord("access"), newWord("refresh")];
    return {
      status: 200,
      body: {
        access_token: grant.access,
        refresh_token: grant.refresh,
        token_type: "Bearer",
        scope: grant.scopes.join(" "),
      },
    };
  }

  /** @param {URLSearchParams} asked @returns {Reply} */
  function token(asked) {
    const of = (/** @type {string} */ name) => asked.get(name) ?? "";
    if (of("resource") !== `${base}/mcp`) return refuse("invalid_target", "another resource");
    if (of("grant_type") === "refresh_token") {
      const grant = grants.find(
        ({ refresh, client, isRevoked }) => refresh === of("refresh_token") && client === of("client_id") && !isRevoked,
      );
      return grant ? give(grant) : refuse("invalid_grant", "no such refresh token");
    }
    const code = codes.get(of("code"));
    if (of("grant_type") !== "authorization_code" || !code) return refuse("invalid_grant", "no such code");
    if (code.grant) {
      revoke(code.grant);
      return refuse("invalid_grant", "the code was used before");
    }
    if (code.client !== of("client_id") || code.redirect !== of("redirect_uri"))
      return refuse("invalid_grant", "another client or redirect_uri");
    if (code.challenge !== createHash("sha256").update(of("code_verifier")).digest("base64url"))
      return refuse("invalid_grant", "another code_verifier");
    code.grant = { client: code.client, scopes: code.scopes, access: "", refresh: "", isRevoked: false };
    grants.push(code.grant);
    return give(code.grant);
  }

  /** @param {Grant} grant */
  function revoke(grant) {
    [grant.access, grant.isRevoked] = ["", true];
  }

  /** @param {URLSearchParams} asked @returns {Reply} */
  function revocation(asked) {
    const grant = grants.find(({ access, refresh }) => [access, refresh].includes(asked.get("token") ?? "-"));
    if (grant && grant.client !== asked.get("client_id"))
      return refuse("invalid_client", "the token of another client");
    if (grant && !grant.isRevoked) {
      revoke(grant);
      revoked++;
    }
    return { status: 200 };
  }

  /** @param {string} bearer @param {any} message @returns {Reply} */
  function mcp(bearer, { id, method, params }) {
    const grant = grants.find(({ access }) => access !== "" && access === bearer);
    const tool = params?.name ?? "";
    const needed = tool === "erase" ? "write" : "read";
    if (!grant?.scopes.includes(needed)) {
      const more = grant ? `error="insufficient_scope", scope="${needed}", ` : "";
      const challenge = `Bearer ${more}resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
      return { status: grant ? 403 : 401, headers: { "www-authenticate": challenge } };
    }
    if (id === undefined) return { status: 202 };
    const result = {
      initialize: () => ({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "guarded", version: "1" },
      }),
      "tools/list": () => ({ tools: TOOLS }),
      "tools/call": () => {
        called.push(tool);
        return { content: [{ type: "text", text: `${tool}: done` }] };
      },
    }[/** @type {string} */ (method)]?.();
    return {
      status: 200,
      body: { jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no such method" } }) },
    };
  }

  /** @type {Record<string, (body: string, query: URLSearchParams, bearer: string) => Reply>} */
  const ROUTES = {
    "GET /.well-known/oauth-protected-resource/mcp": () => ({
      status: 200,
      body: { resource: `${base}/mcp`, authorization_servers: [base], scopes_supported: ["read"] },
    }),
    "GET /.well-known/oauth-authorization-server": () => ({
      status: 200,
      body: {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        revocation_endpoint: `${base}/revoke`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        scopes_supported: SCOPES,
        authorization_response_iss_parameter_supported: true,
      },
    }),
    "POST /register": (body) => register(JSON.parse(body)),
    "GET /authorize": (_body, query) => authorize(query),
    "POST /token": (body) => token(new URLSearchParams(body)),
    "POST /revoke": (body) => revocation(new URLSearchParams(body)),
    "POST /mcp": (body, _query, bearer) => mcp(bearer, JSON.parse(body)),
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    const { pathname, searchParams } = new URL(request.url ?? "", base);
    const bearer = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    /** @type {Reply} */
    const { status, body, headers } = ROUTES[`${request.method} ${pathname}`]?.(text, searchParams, bearer) ?? {
      status: 404,
    };
    response.writeHead(status, { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) });
    response.end(body === undefined ? "" : JSON.stringify(body));
  });
  base = `http://127.0.0.1:${await listening(at, server)}`;
  return { url: `${base}/mcp`, called, refused, revoked: () => revoked, endTokens: () => grants.forEach(revoke) };
}
