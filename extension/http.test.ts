import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { OpenRequests } from "./http.ts";
import { Redirects } from "./redirects.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function withServer(handler: Handler, work: (address: string, server: Server) => Promise<void>): Promise<void> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await work(`http://127.0.0.1:${port}`, server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const get = (url: string) => ({ method: "GET", url, headers: [] as [string, string][], body: null, tell_redirects: false });

const noBuiltIn = () => assert.fail("the built-in model was asked");

async function readAll(requests: OpenRequests, id: number): Promise<string> {
  let text = "";
  for (let bytes = await requests.read(id); bytes !== null; bytes = await requests.read(id)) {
    text += Buffer.from(bytes).toString();
  }
  return text;
}

test("head and body arrive, any status is a success, and the end stays the end", async () => {
  await withServer(
    (request, response) => {
      response.writeHead(418, { "X-Seen": `${String(request.method)} ${String(request.headers["x-key"])}` });
      request.pipe(response);
    },
    async (address) => {
      const requests = new OpenRequests(fetch, noBuiltIn, () => true, new Redirects());
      const body = new TextEncoder().encode("héllo");
      const head = await requests.open(1, { method: "POST", url: `${address}/a`, headers: [["X-Key", "k"]], body, tell_redirects: false });
      assert.deepEqual([head.status, head.url], [418, `${address}/a`]);
      assert.equal(head.headers.find(([name]) => name === "x-seen")?.[1], "POST k");
      assert.equal(await readAll(requests, 1), "héllo");
      assert.equal(await requests.read(1), null);
      requests.close(1);
      requests.close(1);
      await assert.rejects(requests.read(1), { message: "Request 1 is not open." });
    },
  );
});

test("a redirect is not followed, and the next server hears nothing", async () => {
  let heard = 0;
  await withServer(
    () => {
      heard += 1;
    },
    async (elsewhere) => {
      for (const status of [301, 302, 303, 307, 308]) {
        await withServer(
          (_, response) => response.writeHead(status, { location: elsewhere }).end(),
          async (address) => {
            const requests = new OpenRequests(fetch, noBuiltIn, () => true, new Redirects());
            await assert.rejects(requests.open(1, get(`${address}/v1`)), {
              message: `${address} sends requests on to another address, which is not followed because they may carry a key. Use that address itself.`,
            });
          },
        );
      }
    },
  );
  assert.equal(heard, 0);
});

/** `fetch` as the browser has it: what an answer that sends on says is kept from the caller. */
const opaque: typeof fetch = (input, init) => {
  assert.equal(init?.redirect, "manual");
  const url = input instanceof Request ? input.url : String(input);
  if (!url.endsWith("/old")) return fetch(input, init);
  return Promise.resolve({ type: "opaqueredirect", status: 0, headers: new Headers(), url, body: null } as Response);
};

test("a redirect that is to be told says where it leads, whenever that is heard", async () => {
  const asked = { ...get("https://a.test/old"), tell_redirects: true };
  const answer = { status: 302, url: asked.url, headers: [["location", "http://b.test/new"]] };
  const said = { status: 302, location: "http://b.test/new" };

  const redirects = new Redirects(50);
  const requests = new OpenRequests(opaque, noBuiltIn, () => true, redirects);
  const early = requests.open(1, asked);
  redirects.tell("https://a.test/other", { ...said, location: "http://wrong.test/" });
  redirects.tell("https://a.test/old", said);
  assert.deepEqual(await early, answer);
  assert.equal(await requests.read(1), null);

  const late = requests.open(2, asked);
  setTimeout(() => {
    redirects.tell("https://a.test/old", said);
  }, 10);
  assert.deepEqual(await late, answer);

  const [first, second] = [requests.open(3, asked), requests.open(4, asked)];
  redirects.tell("https://a.test/old", said);
  redirects.tell("https://a.test/old", { ...said, location: "http://c.test/" });
  assert.deepEqual(await first, answer);
  assert.deepEqual(await second, { ...answer, headers: [["location", "http://c.test/"]] });

  // What was told to a request that has ended is told to no later one.
  redirects.tell("https://a.test/old", said);
  await assert.rejects(requests.open(5, asked), {
    message: "No response from https://a.test: The server sends requests on to another address, and the browser did not say which.",
  });
});

test("a server that is not there is named by its origin only", async () => {
  let port = 0;
  await withServer(() => undefined, (address) => {
    port = Number(new URL(address).port);
    return Promise.resolve();
  });
  const requests = new OpenRequests(fetch, noBuiltIn, () => true, new Redirects());
  await assert.rejects(requests.open(1, get(`http://127.0.0.1:${port}/path?key=secret`)), (error: Error) => {
    assert.match(error.message, new RegExp(`^No response from http://127\\.0\\.0\\.1:${port}: `));
    assert.doesNotMatch(error.message, /secret|path/);
    return true;
  });
});

test("only absolute http and https addresses are requested", async () => {
  const requests = new OpenRequests(() => assert.fail("a request was sent"), noBuiltIn, () => true, new Redirects());
  for (const url of ["", "core.wasm", "//a.test/", "data:text/plain,x", "chrome-extension://id/core.wasm", "http://"]) {
    await assert.rejects(requests.open(1, get(url)), { message: "The address is not an absolute http or https address." });
  }
});

test("a connection that breaks in the body rejects the read", async () => {
  await withServer(
    (_, response) => {
      response.write("part");
      setTimeout(() => response.destroy(), 50);
    },
    async (address) => {
      const requests = new OpenRequests(fetch, noBuiltIn, () => true, new Redirects());
      await requests.open(1, get(address));
      await assert.rejects(readAll(requests, 1), { message: /^The connection broke to http:/ });
    },
  );
});

test("closing aborts at every point, and the server sees it", async () => {
  for (const point of ["before the head", "in the body"] as const) {
    let gone = (): void => undefined;
    const aborted = new Promise<void>((resolve) => {
      gone = resolve;
    });
    await withServer(
      (_, response) => {
        response.on("close", gone);
        if (point === "in the body") response.write("part");
      },
      async (address, server) => {
        const requests = new OpenRequests(fetch, noBuiltIn, () => true, new Redirects());
        const arrived = new Promise((resolve) => server.once("request", resolve));
        const opened = requests.open(1, get(address));
        let pending: Promise<unknown> = opened;
        if (point === "in the body") {
          await opened;
          await requests.read(1);
          pending = requests.read(1);
        } else {
          await arrived;
        }
        requests.close(1);
        await assert.rejects(pending, { message: "The request was cancelled." });
        await aborted;
      },
    );
  }
});

test("an address of the built-in model goes to it and to no network", async () => {
  const asked: string[] = [];
  const builtIn = (body: Uint8Array) => {
    asked.push(Buffer.from(body).toString());
    return Promise.resolve(new Response("It is not here.", { status: 501 }));
  };
  const requests = new OpenRequests(() => assert.fail("a request was sent"), builtIn, () => true, new Redirects());
  const body = new TextEncoder().encode("{}");
  const head = await requests.open(1, { method: "POST", url: "builtin:prompt", headers: [], body, tell_redirects: false });
  assert.deepEqual([head.status, await readAll(requests, 1), asked], [501, "It is not here.", ["{}"]]);
});

test("a built-in model that breaks off is not called a server", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.error(new Error("The model crashed"));
    },
  });
  const requests = new OpenRequests(fetch, () => Promise.resolve(new Response(broken)), () => true, new Redirects());
  await requests.open(1, get("builtin:prompt"));
  await assert.rejects(requests.read(1), { message: "The model crashed" });
});
