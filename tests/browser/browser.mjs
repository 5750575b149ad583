// A page in headless Chromium, driven over the pipe of its DevTools protocol: nothing but node is needed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export class Page {
  // Opens a file, in a window of this size, light or dark; resolves when it has loaded.
  static async open(chromium, file, { width = 1200, height = 900, dark = false } = {}) {
    const page = new Page(chromium, width, height);
    try {
      const { targetId } = await page.send("Target.createTarget", { url: "about:blank" });
      page.session = (await page.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
      for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(domain + ".enable");
      page.features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
      await page.show("screen");
      const loaded = page.once("Page.loadEventFired");
      await page.send("Page.navigate", { url: pathToFileURL(file).href });
      await loaded;
    } catch (error) {
      await page.close();
      throw error;
    }
    return page;
  }

  // Opens a file and has `checks` look at it: the exit code is 1 if they fail, or if the page said or asked for anything.
  static async check(chromium, file, options, checks) {
    const page = await Page.open(chromium, file, options);
    try {
      await checks(page);
      assert.deepEqual(page.errors, []);
      assert.deepEqual(page.requests, []);
    } catch (error) {
      console.error(error.message, page.errors.join("\n"));
      process.exitCode = 1;
    } finally {
      await page.close();
    }
  }

  constructor(chromium, width, height) {
    this.errors = [];    // what the page said on its console, or threw
    this.requests = [];  // what it asked a network for
    this.waiting = new Map();
    this.listeners = [];
    this.number = 0;
    this.profile = mkdtempSync(join(tmpdir(), "refrain-browser-"));
    this.process = spawn(chromium, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--remote-debugging-pipe", `--user-data-dir=${this.profile}`, `--window-size=${width},${height}`],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.process.on("exit", () => this.fail(new Error("the browser ended")));
    this.process.on("error", (error) => this.fail(error));
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on("data", (piece) => {
      rest = Buffer.concat([rest, piece]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) this.receive(JSON.parse(rest.subarray(0, end).toString()));
    });
    this.process.stdio[3].on("error", () => {});
  }

  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  receive(message) {
    if (message.id) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      return message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    }
    const { method, params } = message;
    if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
      this.errors.push(params.args.map((a) => a.value ?? a.description).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    if (method === "Network.requestWillBeSent" && !/^(file|data|about|blob):/.test(params.request.url)) this.requests.push(params.request.url);
    this.listeners = this.listeners.filter((l) => l.method !== method || (l.resolve(params), false));
  }

  once(method) { return new Promise((resolve) => this.listeners.push({ method, resolve })); }

  send(method, params = {}) {
    const id = ++this.number;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // As on a "screen", or as in "print".
  show(media) { return this.send("Emulation.setEmulatedMedia", { media, features: this.features }); }

  // The colors that the reader prefers: "light" or "dark".
  color(scheme) {
    this.features = [{ name: "prefers-color-scheme", value: scheme }];
    return this.show("screen");
  }

  // Gives the page another width.
  narrow(width) { return this.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false }); }

  // Waits until an expression in the page is true: what is drawn comes with the next frame that the browser shows.
  async until(expression) {
    for (let i = 0; i < 200; ++i) {
      if (await this.evaluate(expression)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("in vain: " + expression);
  }

  // The value of an expression in the page.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  text(selector) { return this.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`); }
  value(selector) { return this.evaluate(`document.querySelector(${JSON.stringify(selector)}).dataset.value`); }
  count(selector) { return this.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`); }

  // A click of the mouse in the middle of an element.
  async click(selector) {
    const { x, y } = await this.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
      e.scrollIntoView({block: "center"}); const b = e.getBoundingClientRect(); return {x: b.x + b.width / 2, y: b.y + b.height / 2}; })()`);
    for (const type of ["mousePressed", "mouseReleased"])
      await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  }

  // Types into a field, in place of what is there.
  async type(selector, text) {
    await this.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.focus(); e.select(); })()`);
    if (text) return this.send("Input.insertText", { text });
    return this.key("Backspace", 8);
  }

  async key(key, code) {
    for (const type of ["keyDown", "keyUp"]) await this.send("Input.dispatchKeyEvent", { type, key, windowsVirtualKeyCode: code });
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.session = undefined;
    this.send("Browser.close").catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
    this.process.kill("SIGKILL");
    try {
      rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Processes of the browser may still be writing; the folder is a temporary one.
    }
  }
}
