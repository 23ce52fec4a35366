// web_fetch in a real browser: servers with pages of many kinds, behind names of the public net.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CoreClient } from "../rig/core_client.ts";
import { expect, test as base } from "../rig/fixtures.ts";
import { callTool, expectError, expectResult } from "./tools_page.ts";

interface Fixtures {
  /** A server that is reached by any name below example.com, and what it was asked for: host and path. */
  site: { readonly port: number; readonly asked: string[] };
  client: CoreClient;
}

const ARTICLE = `<!doctype html><html lang="en"><head><title>Owls at night | The Bird Site</title>
<meta name="author" content="Ada Night"><meta property="og:site_name" content="The Bird Site"></head>
<body><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav><main><article><h1>Owls at night</h1>
<p>Owls hunt when others sleep. They hear a mouse below the snow, and their feathers make no sound at all in flight.</p>
<p>Most owls live alone. They swallow what they catch whole, and what they cannot digest they give back as a pellet, which tells
a reader of pellets what the owl has eaten: see <a href="pellets.html">the collection</a>.</p>
<pre><code class="language-python">print("hoo")</code></pre></article></main>
<footer>We use cookies. All rights reserved.</footer></body></html>`;

/** "汉字编码" and then text, in GBK. */
const GBK = Buffer.from([0xba, 0xba, 0xd7, 0xd6, 0xb1, 0xe0, 0xc2, 0xeb]);

function page(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body);
}

const to = (location: string, status = 302) => (response: ServerResponse): void => {
  response.writeHead(status, { location }).end("moved");
};

const PAGES: Record<string, (response: ServerResponse, port: number) => void> = {
  "/article": (response) => {
    page(response, "text/html; charset=utf-8", ARTICLE);
  },
  "/json": (response) => {
    page(response, "application/json", '{"b":[1,2.50],"a":12345678901234567890}');
  },
  "/text": (response) => {
    page(response, "text/plain", "as it is\n  <b>kept</b>");
  },
  "/gbk-header": (response) => {
    page(response, "text/html; charset=gbk", Buffer.concat([Buffer.from("<main><p>"), GBK, Buffer.from("</p></main>")]));
  },
  "/gbk-meta": (response) => {
    page(response, "text/html", Buffer.concat([Buffer.from('<meta charset="gb2312"><main><p>'), GBK, Buffer.from("</p></main>")]));
  },
  "/gbk-text": (response) => {
    page(response, "text/plain; charset=gb18030", GBK);
  },
  "/image": (response) => {
    page(response, "image/png", Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"));
  },
  "/untyped": (response) => {
    page(response, "", "<!DOCTYPE html><main><p>No type at all.</p></main>");
  },
  "/empty": (response) => {
    page(response, "text/html", "<script>document.write('only with scripts')</script><div id=root></div>");
  },
  "/moved": to("/article", 301),
  "/elsewhere": (response, port) => {
    to(`http://other.example.com:${port}/article`)(response);
  },
  "/inside": (response, port) => {
    to(`http://127.0.0.1:${port}/secret`)(response);
  },
  "/router": (response, port) => {
    to(`http://router.local:${port}/secret`, 307)(response);
  },
  "/file": to("file:///etc/passwd"),
  "/loop": to("/loop"),
  "/missing": (response) => response.writeHead(404, { "content-type": "text/html" }).end("<p>gone</p>"),
  "/large": (response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(Buffer.alloc(10_000_001, "a"));
  },
  "/deep": (response) => {
    page(response, "text/html", `<main>${"<div>".repeat(100_000)}<p>the bottom</p>`);
  },
};

const test = base.extend<Fixtures>({
  site: async ({}, use) => {
    const asked: string[] = [];
    const server = createServer(({ url = "", headers }: IncomingMessage, response) => {
      asked.push(`${headers.host?.split(":")[0] ?? ""}${url}`);
      const { port } = server.address() as AddressInfo;
      PAGES[url]?.(response, port);
      if (PAGES[url] === undefined) page(response, "text/plain", url);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use({ port: (server.address() as AddressInfo).port, asked });
    server.closeAllConnections();
    server.close();
  },
  client: async ({ rig }, use) => {
    await use(await CoreClient.connect(await rig.openPanel()));
  },
});

test.use({ launch: { extraArgs: ["--host-resolver-rules=MAP *.example.com 127.0.0.1,MAP *.local 127.0.0.1"] } });

const CONTENT = `# Owls at night

Owls hunt when others sleep. They hear a mouse below the snow, and their feathers make no sound at all in flight.

Most owls live alone. They swallow what they catch whole, and what they cannot digest they give back as a pellet, which tells a reader of pellets what the owl has eaten: see [the collection](http://HOST/pellets.html).

\`\`\`python
print("hoo")
\`\`\``;

test("a page's content comes as Markdown, with what it says of itself", async ({ client, site }) => {
  const host = `birds.example.com:${site.port}`;
  const url = `http://${host}/article`;
  await expectResult(client, "web_fetch", { url }, {
    url,
    final_url: url,
    content_type: "text/html",
    title: "Owls at night",
    byline: "Ada Night",
    site: "The Bird Site",
    content: CONTENT.replace("HOST", host),
    truncated: false,
  });
});

test("a long text is read on where it was cut, and nothing is lost", async ({ client, site }) => {
  const url = `http://birds.example.com:${site.port}/article`;
  const { content } = (await callTool(client, "web_fetch", { url })) as { content: string };
  let text = "";
  for (let offset: number | undefined = 0, reads = 0; offset !== undefined && reads < 50; reads += 1) {
    const part = (await callTool(client, "web_fetch", { url, max_length: 60, offset })) as {
      content: string;
      truncated: boolean;
      next_offset?: number;
    };
    expect(part.content.length).toBeLessThanOrEqual(60);
    expect(part.truncated).toBe(part.next_offset !== undefined);
    text += part.content;
    offset = part.next_offset;
  }
  expect(text).toBe(content);
  await expectError(client, "web_fetch", { url, offset: 100_000 }, "offset_past_end", "cannot be read from 100000 on");
});

test("JSON is laid out and loses no digit, and text stays as it is", async ({ client, site }) => {
  const at = (path: string): string => `http://a.example.com:${site.port}${path}`;
  const check = async (path: string, content_type: string, content: string): Promise<void> => {
    expect(await callTool(client, "web_fetch", { url: at(path) }), path).toMatchObject({ content_type, content, truncated: false });
  };
  await check("/json", "application/json", '{\n  "b": [\n    1,\n    2.50\n  ],\n  "a": 12345678901234567890\n}');
  await check("/text", "text/plain", "as it is\n  <b>kept</b>");
  await check("/gbk-header", "text/html", "汉字编码");
  await check("/gbk-meta", "text/html", "汉字编码");
  await check("/gbk-text", "text/plain", "汉字编码");
  await check("/untyped", "text/html", "No type at all.");
  expect(await callTool(client, "web_fetch", { url: at("/deep") })).toMatchObject({ content: "the bottom", truncated: true });
  expect(await callTool(client, "web_fetch", { url: at("/empty") })).toMatchObject({
    content: "",
    hint: expect.stringContaining("without scripts"),
  });
});

test("each address that a server sends on to is looked at before it is gone to", async ({ client, site }) => {
  const at = (path: string, host = "a"): string => `http://${host}.example.com:${site.port}${path}`;
  await expectResultAt(client, at("/moved#part"), at("/article#part"));
  await expectResultAt(client, at("/elsewhere"), at("/article", "other"));
  await expectError(client, "web_fetch", { url: at("/inside") }, "address_refused", "sends on to an address that is not read. 127.0.0.1 is this computer");
  await expectError(client, "web_fetch", { url: at("/router") }, "address_refused", "router.local is this computer or a machine of its own network");
  await expectError(client, "web_fetch", { url: at("/file") }, "unavailable", "No response from");
  await expectError(client, "web_fetch", { url: at("/loop") }, "too_many_redirects", "more than 10 times");
  expect(site.asked.filter((asked) => asked.includes("secret"))).toEqual([]);
});

async function expectResultAt(client: CoreClient, url: string, final_url: string): Promise<void> {
  expect(await callTool(client, "web_fetch", { url })).toMatchObject({ url, final_url, title: "Owls at night" });
}

test("two requests for one address that sends on each arrive", async ({ client, site }) => {
  const url = `http://a.example.com:${site.port}/moved`;
  const both = await Promise.all([callTool(client, "web_fetch", { url }), callTool(client, "web_fetch", { url })]);
  for (const result of both) expect(result).toMatchObject({ title: "Owls at night" });
});

test("a service worker that has gone away tells of a redirect all the same", async ({ client, site, rig }) => {
  const url = `http://a.example.com:${site.port}/moved`;
  for (let time = 0; time < 3; time += 1) {
    await rig.stopServiceWorker();
    expect(await callTool(client, "web_fetch", { url })).toMatchObject({ title: "Owls at night" });
  }
});

test("what is not read says why, and the server is not asked", async ({ client, site }) => {
  const at = (path: string): string => `http://a.example.com:${site.port}${path}`;
  await expectError(client, "web_fetch", { url: at("/missing") }, "http_status", "status 404 (not found)");
  await expectError(client, "web_fetch", { url: at("/image") }, "not_text", "`image/png`, which is not text (10 bytes)");
  await expectError(client, "web_fetch", { url: at("/large") }, "too_large", "longer than 10 MB");
  const before = site.asked.length;
  for (const url of [`http://127.0.0.1:${site.port}/text`, `http://localhost:${site.port}/text`, `http://[::1]:${site.port}/text`, `http://x.local:${site.port}/`, `http://2130706433:${site.port}/text`]) {
    await expectError(client, "web_fetch", { url }, "address_refused", "machine of its own network");
  }
  await expectError(client, "web_fetch", { url: `http://me:pw@a.example.com:${site.port}/text` }, "address_refused", "user name or password");
  expect(site.asked.length).toBe(before);
});
