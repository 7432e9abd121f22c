// Providers on the loopback. Answers come from the model that knows the news, which is a program of the test kit; what
// stands here decides when they arrive, or that they do not.
// @ts-check
import { createServer } from "node:http";
import { binary, listening } from "./place.mjs";
import { delay, eventually, start } from "./processes.mjs";

/** So many pieces into an answer its text has begun. */
const MIDDLE = 12;
/** So many pieces of words more fill any page, whatever the fonts. */
const MANY = 400;

/**
 * A model that knows the news and answers at once.
 * @param {import("./place.mjs").Place} at
 * @param {string[]} [flags] of `model-server`
 * @returns {Promise<string>} its base URL
 */
export async function newsModel(at, flags = []) {
  const server = start(binary("model-server"), flags, { env: at.env });
  at.atEnd(() => server.stop());
  return eventually("an address of the model", () => {
    if (!server.isRunning()) throw new Error(server.output());
    return server.firstLine();
  });
}

/** A piece of an answer with other words in it. @param {string} event @param {string} words */
const withWords = (event, words) => event.replace(/"content":"(?:[^"\\]|\\.)*"/, `"content":"${words}"`);

/**
 * The same model behind a gate: the answers to some requests pass piece by piece, when the test lets them.
 * @param {import("./place.mjs").Place} at
 * @param {(number: number) => boolean} isHeld which requests, counted from 1
 * @param {{ isLong?: boolean }} [options] whether held answers have many more words in their middle
 */
export async function gatedModel(at, isHeld, { isLong = false } = {}) {
  const model = await newsModel(at, ["--chunk-characters", "12"]);
  let asked = 0;
  let left = 0;
  let credit = 0;
  /** @type {(() => void)[]} */
  const waiting = [];
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };

  const baseUrl = await serve(at, async (request, body, response) => {
    const number = ++asked;
    const answer = await fetch(model + request.path, {
      method: request.method,
      headers: { "content-type": "application/json" },
      body,
    });
    const events = (await answer.text()).split(/(?<=\n\n)/);
    const middle = events[MIDDLE];
    if (isLong && isHeld(number) && middle) {
      events.splice(
        MIDDLE + 1,
        0,
        ...Array(MANY).fill(withWords(middle, " words of a text that is long enough to be scrolled")),
      );
    }
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    let isGone = false;
    response.on("close", () => {
      isGone = !response.writableFinished;
      if (isGone) left++;
      wake();
    });
    response.flushHeaders();
    for (const event of events) {
      while (isHeld(number) && credit === 0 && !isGone) {
        await new Promise((go) => waiting.push(() => go(undefined)));
      }
      if (isGone) return;
      if (isHeld(number)) credit--;
      response.write(event);
    }
    response.end();
  });

  return {
    baseUrl,
    /** How many requests have come. */
    asked: () => asked,
    /** How many answers the program left before their end. */
    left: () => left,
    /** Lets so many more pieces of held answers pass. @param {number} pieces */
    pass(pieces) {
      credit += pieces;
      wake();
    },
  };
}

/**
 * The same model, whose second answer has many more words in its middle, which come at a steady rate.
 * @param {import("./place.mjs").Place} at
 * @param {{ second: number, seconds: number }} rate tokens in a second, and for how long
 * @returns {Promise<string>} its base URL
 */
export async function pouringModel(at, { second, seconds }) {
  const model = await newsModel(at, ["--chunk-characters", "12"]);
  let asked = 0;
  return serve(at, async (request, body, response) => {
    const number = ++asked;
    const answer = await fetch(model + request.path, {
      method: request.method,
      headers: { "content-type": "application/json" },
      body,
    });
    const events = (await answer.text()).split(/(?<=\n\n)/);
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    for (const [place, event] of events.entries()) {
      response.write(event);
      if (number !== 2 || place !== MIDDLE) continue;
      const token = withWords(event, " token");
      const begin = Date.now();
      for (let sent = 0; sent < second * seconds && !response.destroyed; await delay(10)) {
        const due = Math.floor(((Date.now() - begin) / 1000) * second);
        response.write(token.repeat(due - sent));
        sent = due;
      }
    }
    response.end();
  });
}

/**
 * A provider that refuses every request.
 * @param {import("./place.mjs").Place} at
 * @param {(key: string, number: number, body: string) =>
 *   { status: number, body: string, headers?: Record<string, string> }} refusal
 *   made from the key that was given, the number of the request from 1, and its body
 */
export async function refusingProvider(at, refusal) {
  let asked = 0;
  const baseUrl = await serve(at, async (request, asking, response) => {
    const { status, body, headers } = refusal(request.key, ++asked, asking);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  });
  return { baseUrl, asked: () => asked };
}

/**
 * The model that knows the news, for whoever brings the key.
 * @param {import("./place.mjs").Place} at
 * @param {string | ((key: string, number: number) => boolean)} key or whether a key opens, of a request counted from 1
 */
export async function lockedModel(at, key) {
  const opens = typeof key === "string" ? (/** @type {string} */ given) => given === key : key;
  const model = await newsModel(at);
  let answered = 0;
  let refused = 0;
  const baseUrl = await serve(at, async (request, body, response) => {
    if (!opens(request.key, answered + refused + 1)) {
      refused++;
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "Another key is wanted.", code: "invalid_api_key" } }));
      return;
    }
    answered++;
    const answer = await fetch(model + request.path, {
      method: request.method,
      headers: { "content-type": "application/json" },
      ...(request.method === "GET" ? {} : { body }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(await answer.text());
  });
  return { baseUrl, answered: () => answered, refused: () => refused };
}

/**
 * A model that calls the one tool it is offered, then tells what it read of it.
 * @param {import("./place.mjs").Place} at
 * @param {(tool: string) => object} inputOf what it calls the tool of this name with
 * @returns {Promise<string>} its base URL
 */
export function callingModel(at, inputOf) {
  return serve(at, async (_request, body, response) => {
    const { stream, tools = [], messages = [] } = body === "" ? {} : JSON.parse(body);
    const told = messages.findLast((/** @type {{ role: string }} */ { role }) => role === "tool");
    const name = tools[0]?.function?.name ?? "";
    const call = {
      index: 0,
      id: "call_1",
      type: "function",
      function: { name, arguments: JSON.stringify(inputOf(name)) },
    };
    const said = told
      ? { role: "assistant", content: `Done: ${told.content}` }
      : { role: "assistant", content: null, tool_calls: [call] };
    const finish_reason = told ? "stop" : "tool_calls";
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const about = { id: "answer", created: 1, model: "news-1" };
    if (!stream) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          ...about,
          object: "chat.completion",
          choices: [{ index: 0, message: said, finish_reason }],
          usage,
        }),
      );
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = (/** @type {object} */ more) =>
      response.write(`data: ${JSON.stringify({ ...about, object: "chat.completion.chunk", ...more })}\n\n`);
    chunk({ choices: [{ index: 0, delta: said, finish_reason: null }] });
    chunk({ choices: [{ index: 0, delta: {}, finish_reason }], usage });
    response.end("data: [DONE]\n\n");
  });
}

/**
 * @typedef {{ method: string, path: string, key: string }} Request its path below the base URL, and the key it brings
 *
 * @param {import("./place.mjs").Place} at
 * @param {(request: Request, body: string, response: import("node:http").ServerResponse) => Promise<void>} answer
 * @returns {Promise<string>} the base URL
 */
async function serve(at, answer) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const path = (request.url ?? "").replace(/^\/v1/, "");
    const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    // A server of none of the kinds that say how long requests may be.
    if (["/props", "/api/v0/models", "/version", "/api/show"].includes(path)) {
      response.writeHead(404).end();
      return;
    }
    await answer({ method: request.method ?? "POST", path, key }, body, response);
  });
  const port = await listening(at, server);
  return `http://127.0.0.1:${port}/v1`;
}
