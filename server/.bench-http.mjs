// bench.mts
import { createRequire } from "node:module";

// ../../work/main/server/src/core/http/server.ts
import { createServer as createNodeServer } from "node:http";

// ../../work/main/server/src/core/problem.ts
var problemKinds = {
  bad_request: {
    status: 400,
    title: "Bad request",
    meaning: "The request cannot be read: a malformed path, header or body."
  },
  bad_parameter: {
    status: 400,
    title: "Bad parameter",
    meaning: "A query parameter has an unknown name, member or an unreadable value; `errors` names parameter, member and position."
  },
  bad_filter: {
    status: 400,
    title: "Bad filter",
    meaning: "The `filter` text cannot be read; `errors` gives the position."
  },
  too_costly: { status: 400, title: "Too costly", meaning: "The query exceeds a limit on its size, depth or result." },
  invalid: {
    status: 400,
    title: "Invalid members",
    meaning: "Members of the body break their own rules; `errors` lists every one."
  },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    meaning: "The operation needs a signed-in caller, or the credentials are wrong."
  },
  forbidden: { status: 403, title: "Forbidden", meaning: "The caller is known and may not do this." },
  not_found: {
    status: 404,
    title: "Not found",
    meaning: "No such path, or no such record in the sight of this caller."
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning: "The path exists and has no such method; `Allow` lists those it has."
  },
  not_acceptable: {
    status: 406,
    title: "Not acceptable",
    meaning: "None of the media types in `Accept` can be produced."
  },
  conflict: { status: 409, title: "Conflict", meaning: "The request contradicts the present state of the record." },
  taken: { status: 409, title: "Already taken", meaning: "Another record has this identifier or unique value." },
  referenced: {
    status: 409,
    title: "Still referenced",
    meaning: "Other records still refer to the record to be deleted."
  },
  stale: { status: 409, title: "Stale version", meaning: "The `version` in the body is not the present one." },
  in_progress: {
    status: 409,
    title: "In progress",
    meaning: "The first request with this Idempotency-Key is still running."
  },
  precondition_failed: {
    status: 412,
    title: "Precondition failed",
    meaning: "`If-Match` or `If-None-Match` does not hold."
  },
  too_large: { status: 413, title: "Too large", meaning: "The body exceeds the size limit." },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    meaning: "The body has a type that is not accepted here."
  },
  unprocessable: {
    status: 422,
    title: "Unprocessable",
    meaning: "The body reads well and names something that does not exist, or contradicts itself."
  },
  key_reused: {
    status: 422,
    title: "Idempotency-Key reused",
    meaning: "The key was used before with another request."
  },
  header_too_large: {
    status: 431,
    title: "Headers too large",
    meaning: "The request line or the headers exceed the size limit."
  },
  internal: { status: 500, title: "Internal error", meaning: "The service failed; the incident is recorded." },
  unavailable: {
    status: 503,
    title: "Unavailable",
    meaning: "The service or its database cannot answer now; try again."
  }
};
var Problem = class extends Error {
  code;
  details;
  constructor(code, details = {}) {
    const known = typeof details === "string" ? { detail: details } : details;
    super(known.detail ?? problemKinds[code].title, known.cause === void 0 ? void 0 : { cause: known.cause });
    this.name = "Problem";
    this.code = code;
    this.details = known;
  }
  get status() {
    return problemKinds[this.code].status;
  }
};

// ../../work/main/server/src/core/http/allow.ts
var everyMethod = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
var step = () => ({ literal: /* @__PURE__ */ new Map(), named: null, methods: /* @__PURE__ */ new Set() });
var isNamedPart = (part) => part.startsWith("{") && part.endsWith("}");
var createAllowedMethods = (routes) => {
  const root = step();
  for (const { method, path } of routes) descend(root, path).methods.add(method);
  return (path) => {
    const found = /* @__PURE__ */ new Set();
    collect(root, path.split("/"), found);
    return found.size === 0 ? null : inOrder(found);
  };
};
var inOrder = (methods) => everyMethod.filter((method) => method === "OPTIONS" || methods.has(method === "HEAD" ? "GET" : method));
var descend = (root, path) => {
  let at = root;
  for (const part of path.split("/")) {
    if (isNamedPart(part)) {
      at.named ??= step();
      at = at.named;
    } else {
      const next = at.literal.get(part) ?? step();
      at.literal.set(part, next);
      at = next;
    }
  }
  return at;
};
var collect = (at, parts, found) => {
  const [part, ...rest] = parts;
  if (part === void 0) {
    for (const method of at.methods) found.add(method);
    return;
  }
  const literal = at.literal.get(decoded(part));
  if (literal) collect(literal, rest, found);
  if (at.named && part !== "") collect(at.named, rest, found);
};
var decoded = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

// ../../work/main/server/src/core/http/connections.ts
var sweepMs = 100;
var createConnections = (server) => {
  const open = /* @__PURE__ */ new Set();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const sweep = () => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  return {
    drain: (deadlineMs) => {
      const sweeping = setInterval(sweep, sweepMs);
      const deadline = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, deadlineMs);
      return () => {
        clearInterval(sweeping);
        clearTimeout(deadline);
      };
    }
  };
};

// ../../work/main/server/src/core/http/faults.ts
import { STATUS_CODES } from "node:http";
var codeOfStatus = /* @__PURE__ */ new Map([
  [400, "bad_request"],
  [403, "not_found"],
  [404, "not_found"],
  [412, "precondition_failed"],
  [413, "too_large"],
  // A named part beyond the router's limit: no record has such an identifier.
  [414, "not_found"],
  [415, "unsupported_media_type"]
]);
var toProblem = (error) => {
  const code = codeOfStatus.get(error.statusCode);
  return code === void 0 || error instanceof Problem ? error : new Problem(code, { cause: error });
};
var plainProblem = (code, headers = {}) => {
  const { status, title } = problemKinds[code];
  return {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
    body: JSON.stringify({ type: "about:blank", title, status, code })
  };
};
var writeLastResort = (reply, security) => {
  if (reply.headersSent) {
    reply.destroy();
    return;
  }
  const { status, headers, body: body2 } = plainProblem("internal");
  reply.writeHead(status, { ...security, ...headers }).end(body2);
};
var lingerMs = 1e3;
var refuseConnection = (error, socket, security) => {
  if (error.code === "ECONNRESET" || !socket.writable || hasBegunAnswer(socket)) {
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  const { status, headers, body: body2 } = refusalOf(error);
  const head = Object.entries({ ...security, ...headers, connection: "close" }).map((header) => header.join(": "));
  const length = `content-length: ${Buffer.byteLength(String(body2 ?? ""))}`;
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, length, "", body2 ?? ""].join("\r\n"));
  setTimeout(() => socket.destroy(), lingerMs).unref();
};
var hasBegunAnswer = (socket) => socket._httpMessage?.headersSent === true;
var refusalOf = (error) => {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return { status: 408 };
  if (error.code === "HPE_HEADER_OVERFLOW") return plainProblem("header_too_large");
  if (error.code === "HPE_INVALID_METHOD" && startsWithMethod(error.rawPacket)) {
    return plainProblem("method_not_allowed", { allow: everyMethod.join(", ") });
  }
  return plainProblem("bad_request");
};
var startsWithMethod = (packet) => Buffer.isBuffer(packet) && /^[A-Z-]{1,40} [/*h]/.test(packet.toString("latin1", 0, 50));

// ../../work/main/server/src/core/http/headers.ts
var nothing = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
var ownOrigin = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'"
].join("; ");
var common = {
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  // Binds only requests that are made without CORS; an origin that CORS allows can still read.
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
};
var transport = (secure) => secure ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {};
var apiHeaders = (secure) => ({
  ...common,
  "content-security-policy": nothing,
  "referrer-policy": "no-referrer",
  ...transport(secure)
});
var pageHeaders = (secure) => ({
  ...common,
  "content-security-policy": ownOrigin,
  "referrer-policy": "same-origin",
  ...transport(secure)
});

// ../../work/main/server/src/core/http/incoming.ts
import { randomBytes } from "node:crypto";
var noParams = Object.freeze({});
var Incoming = class {
  id;
  method;
  path;
  search;
  params;
  headers;
  body;
  remoteAddress;
  base;
  #reply;
  #aborting = null;
  constructor(arrival, reply, base) {
    const { raw, body: body2 } = arrival;
    const target = toOriginForm(raw.url ?? "/");
    const mark = target.indexOf("?");
    this.id = arrival.id;
    this.method = raw.method ?? "GET";
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.search = mark === -1 ? "" : target.slice(mark + 1);
    this.params = arrival.params ?? noParams;
    this.headers = raw.headers;
    this.body = Buffer.isBuffer(body2) && body2.length > 0 ? body2 : null;
    this.remoteAddress = toPlainAddress(raw.socket.remoteAddress ?? "");
    this.base = base;
    this.#reply = reply;
  }
  get signal() {
    this.#aborting ??= abortWhenLeft(this.#reply);
    return this.#aborting.signal;
  }
};
var abortWhenLeft = (reply) => {
  const aborting = new AbortController();
  const check = () => {
    if (!reply.writableFinished) aborting.abort();
  };
  if (reply.destroyed) check();
  else reply.once("close", check);
  return aborting;
};
var toOriginForm = (target) => {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^https?:\/\/[^/?]*/i, "");
  return rest.startsWith("?") || rest === "" ? `/${rest}` : rest;
};
var toPlainAddress = (address) => address.startsWith("::ffff:") ? address.slice(7) : address;
var safeId = /^[A-Za-z0-9._-]{1,64}$/;
var createRequestIds = () => {
  const process2 = randomBytes(6).toString("hex");
  let count = 0;
  return ({ headers }) => {
    const given = headers["x-request-id"];
    if (typeof given === "string" && safeId.test(given)) return given;
    count += 1;
    return `${process2}-${count.toString(36)}`;
  };
};
var safeHost = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
var rememberedHosts = 1e3;
var createBaseOf = (baseUrl, listening) => {
  if (baseUrl !== void 0) {
    const fixed = baseUrl.replace(/\/+$/, "");
    return () => fixed;
  }
  const bases = /* @__PURE__ */ new Map();
  return (host) => {
    if (host === void 0) return listening();
    const known = bases.get(host);
    if (known !== void 0) return known;
    if (host.length > 260 || !safeHost.test(host)) return listening();
    if (bases.size >= rememberedHosts) bases.clear();
    const base = `http://${host.toLowerCase()}`;
    bases.set(host, base);
    return base;
  };
};

// ../../work/main/server/src/core/http/options.ts
var defaultTimeouts = {
  headers: 15e3,
  request: 6e4,
  keepAlive: 72e3,
  idle: 12e4,
  drain: 8e3
};

// ../../work/main/server/src/core/http/router.ts
import { METHODS } from "node:http";
import fastify from "fastify";
var maxParamLength = 1e3;
var noQuery = Object.freeze({});
var createRouter = (node, maxBodyBytes, refusals) => {
  const router = fastify({
    serverFactory: (handler) => node.on("request", handler),
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    genReqId: createRequestIds(),
    // A request that arrives on a kept connection while the server closes is still answered.
    return503OnClosing: false,
    frameworkErrors: (error, arrival, reply) => refusals.request(error, arrival, reply),
    clientErrorHandler: refusals.connection,
    routerOptions: { maxParamLength, querystringParser: () => noQuery }
  });
  if (METHODS.includes("QUERY")) router.addHttpMethod("QUERY", { hasBody: false, overrideExisting: true });
  router.removeAllContentTypeParsers();
  router.addContentTypeParser("*", { parseAs: "buffer" }, (_arrival, body2, done) => done(null, body2));
  router.setErrorHandler((error, arrival, reply) => refusals.request(error, arrival, reply));
  return router;
};
var addRoute = (router, { method, path }, answer) => {
  router.route({ method: method === "GET" ? ["GET", "HEAD"] : method, url: toPattern(path), handler: answer });
};
var toPattern = (path) => {
  const isSound = (part) => isNamedPart(part) ? /^\{\w+\}$/.test(part) : !/[{}:*%?#]/.test(part);
  const parts = path.split("/");
  if (!path.startsWith("/") || !parts.every(isSound)) throw new Error(`the route path '${path}' cannot be read`);
  return parts.map((part) => isNamedPart(part) ? `:${part.slice(1, -1)}` : part).join("/");
};

// ../../work/main/server/src/core/http/header-list.ts
var traceShape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
var createGather = ({ security, decorate, isDraining }) => {
  const always = Object.entries(security).flat();
  return (request, response) => {
    const list = always.slice();
    list.push("x-request-id", request.id);
    const trace = request.headers.traceparent;
    if (typeof trace === "string" && traceShape.test(trace)) list.push("traceparent", trace);
    if (isDraining()) list.push("connection", "close");
    const skipped = isBodiless(response.status) ? contentHeaders : none;
    if (response.headers) addAll(list, response.headers, skipped);
    const more = decorate?.(request, response);
    if (more) addAll(list, more, skipped);
    return list;
  };
};
var isBodiless = (status) => status === 204 || status === 304;
var none = /* @__PURE__ */ new Set();
var contentHeaders = /* @__PURE__ */ new Set([
  "content-type",
  "content-length",
  "content-encoding",
  "content-range",
  "content-disposition"
]);
var addAll = (list, headers, skipped) => {
  for (const given in headers) {
    const name = given.toLowerCase();
    const value = headers[given];
    if (value !== void 0 && !skipped.has(name)) putHeader(list, name, value);
  }
};
var putHeader = (list, name, value) => {
  for (let at = 0; at < list.length; at += 2) {
    if (list[at] !== name) continue;
    list[at + 1] = name === "vary" ? joinNames(`${list[at + 1]},${value}`) : value;
    return;
  }
  list.push(name, value);
};
var joinNames = (names) => [...new Set(names.split(/\s*,\s*/))].join(", ");

// ../../work/main/server/src/core/http/write.ts
var createWrite = (gathering) => {
  const gather = createGather(gathering);
  return (request, response, reply) => {
    const { status, body: body2 } = response;
    const headers = gather(request, response);
    const isHead = request.method === "HEAD";
    const isStream = typeof body2 === "object" && !Buffer.isBuffer(body2);
    if (isBodiless(status) || isHead && (isStream || body2 === void 0)) {
      discard(body2);
      reply.writeHead(status, headers).end();
    } else if (isStream) {
      return writeStream(reply, body2, () => reply.writeHead(status, headers));
    } else {
      putHeader(headers, "content-length", String(Buffer.byteLength(body2 ?? "")));
      if (isHead) reply.writeHead(status, headers).end();
      else if (status === 413 && !reply.req.complete) refuse(reply, response, headers);
      else reply.writeHead(status, headers).end(body2);
    }
  };
};
var writeStream = async (reply, body2, writeHead) => {
  if (reply.destroyed) return discard(body2);
  for await (const piece of body2) {
    if (!reply.headersSent) writeHead();
    if (reply.destroyed) return;
    if (!reply.write(piece)) await drained(reply);
    if (reply.destroyed) return;
  }
  if (!reply.headersSent) writeHead();
  reply.end();
};
var drained = (reply) => new Promise((resolve) => {
  const done = () => {
    reply.off("drain", done);
    reply.off("close", done);
    resolve();
  };
  reply.on("drain", done);
  reply.on("close", done);
});
var discard = (body2) => {
  if (typeof body2 !== "object" || Buffer.isBuffer(body2)) return;
  if ("destroy" in body2 && typeof body2.destroy === "function") body2.destroy();
};
var lingerMs2 = 2e3;
var refuse = (reply, { status, body: body2 }, headers) => {
  const end = () => {
    clearTimeout(timer);
    reply.end();
  };
  const timer = setTimeout(end, lingerMs2);
  putHeader(headers, "connection", "close");
  reply.writeHead(status, headers).write(body2 ?? "");
  reply.req.once("close", end);
  reply.req.resume();
};

// ../../work/main/server/src/core/http/run.ts
var createRun = (options, gathering) => {
  const { onRequest, onFault, log } = options;
  const write = createWrite(gathering);
  const fail = async (request, error, reply) => {
    if (reply.destroyed && isAbort(error)) return;
    try {
      const response = await onFault(request, error);
      if (reply.headersSent) reply.destroy();
      else await write(request, response, reply);
    } catch (second) {
      log.error({ err: second, requestId: request.id }, "a fault could not be answered");
      writeLastResort(reply, gathering.security);
    }
  };
  return async (handler, request, reply) => {
    if (log.isLevelEnabled("debug")) logWhenClosed(log, request, reply);
    try {
      await write(request, onRequest?.(request) ?? await handler(request), reply);
    } catch (error) {
      await fail(request, error, reply);
    }
  };
};
var isAbort = (error) => error instanceof Error && error.name === "AbortError";
var logWhenClosed = (log, { id, method, path }, reply) => {
  const started = performance.now();
  reply.once("close", () => {
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const fields = { requestId: id, method, path, status: reply.statusCode, ms, completed: reply.writableFinished };
    log.debug(fields, "request");
  });
};

// ../../work/main/server/src/core/http/static-files.ts
import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
var isRead = (method) => method === "GET" || method === "HEAD";
var serveStaticFiles = (app, files, host) => {
  const { prefix, folder, fallback } = files;
  const page = fallback !== void 0 && existsSync(join(folder, fallback)) ? fallback : null;
  app.register(
    async (scope) => {
      scope.addHook("onSend", async (request, reply) => {
        reply.headers(host.headers(request));
      });
      scope.setNotFoundHandler((request, reply) => {
        const isDeepLink = isRead(request.method) && looksLikePage(request.raw.url ?? "", request.headers.accept);
        if (page !== null && isDeepLink) return reply.sendFile(page);
        host.notFound(request, reply);
      });
      await scope.register(fastifyStatic, {
        root: folder,
        serve: true,
        dotfiles: "ignore",
        acceptRanges: false,
        cacheControl: false,
        suppressWarning: true,
        setHeaders: (reply, path) => {
          reply.header("cache-control", cachingOf(path));
        }
      });
    },
    { prefix }
  );
};
var hashed = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}(?:\.\w+)+$/;
var cachingOf = (path) => hashed.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
var looksLikePage = (target, accept) => {
  const path = target.split(/[?#]/, 1)[0] ?? "";
  if (/\/(?:assets(?:\/|$)|\.)/.test(path)) return false;
  return !/\.[^/]*$/.test(path) || (accept?.includes("text/html") ?? false);
};

// ../../work/main/server/src/core/http/server.ts
var createServer = (options) => {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const isSecure = options.baseUrl?.startsWith("https:") ?? false;
  const security = apiHeaders(isSecure);
  let address = "";
  let closing = null;
  const isDraining = () => closing !== null;
  const baseOf = createBaseOf(options.baseUrl, () => address);
  const run = createRun(options, { security, decorate: options.decorate, isDraining });
  const answering = (handler) => (arrival, reply) => {
    const { raw } = arrival;
    const request = new Incoming(arrival, reply.raw, baseOf(raw.headers.host));
    void run(lacksHost(raw) ? refuseWithoutHost : handler, request, reply.raw);
  };
  const node = createNode(timeouts);
  const connections = createConnections(node);
  const router = createRouter(node, options.maxBodyBytes, {
    request: (error, arrival, reply) => {
      const problem = toProblem(error);
      const isMissing = problem instanceof Problem && problem.code === "not_found";
      answering(isMissing ? options.notFound : () => Promise.reject(problem))(arrival, reply);
    },
    connection: (error, socket) => refuseConnection(error, socket, security)
  });
  const unmatched = createUnmatched(options);
  router.setNotFoundHandler(answering(unmatched));
  for (const route of options.routes) addRoute(router, route, answering(withFullParts(route, unmatched)));
  const page = pageHeaders(isSecure);
  for (const files of options.staticFiles ?? []) {
    serveStaticFiles(router, files, {
      headers: ({ id }) => ({ ...page, "x-request-id": id, ...isDraining() && { connection: "close" } }),
      notFound: answering(unmatched)
    });
  }
  const drain = async () => {
    const stopDraining = connections.drain(timeouts.drain);
    await router.close();
    stopDraining();
  };
  return {
    routes: options.routes,
    listen: async () => {
      address = await router.listen({ host: options.host, port: options.port });
      return address;
    },
    close: () => {
      closing ??= drain();
      return closing;
    }
  };
};
var maxHeaderSize = 65536;
var createNode = ({ headers, request, keepAlive, idle }) => createNodeServer({
  maxHeaderSize,
  headersTimeout: headers,
  requestTimeout: request,
  keepAliveTimeout: keepAlive,
  connectionsCheckingInterval: Math.min(5e3, headers),
  // Refused below instead, with a body and the security headers.
  requireHostHeader: false
}).setTimeout(idle);
var lacksHost = ({ headers, httpVersion }) => headers.host === void 0 && httpVersion !== "1.0";
var refuseWithoutHost = () => Promise.reject(new Problem("bad_request", "The Host header is missing."));
var withFullParts = ({ path, handler }, unmatched) => {
  if (!path.split("/").some(isNamedPart)) return handler;
  return (request) => request.path.endsWith("/") || request.path.includes("//") ? unmatched(request) : handler(request);
};
var fileMethods = ["GET", "HEAD", "OPTIONS"];
var createUnmatched = ({ routes, staticFiles = [], notFound }) => {
  const methodsOf = createAllowedMethods(routes);
  const isFile = (path) => staticFiles.some(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  const allowedOf = (path) => {
    if (path === "*") return everyMethod;
    return methodsOf(path) ?? (isFile(path) ? fileMethods : null);
  };
  return (request) => {
    const allowed = allowedOf(request.path);
    const allow = allowed?.join(", ") ?? "";
    if (allowed && request.method === "OPTIONS") return { status: 204, headers: { allow } };
    if (!allowed || allowed.includes(request.method)) return notFound(request);
    throw new Problem("method_not_allowed", { headers: { allow } });
  };
};

// bench.mts
var require2 = createRequire("/work/main/server/package.json");
var fastify2 = require2("fastify");
var body = JSON.stringify({ pk: "a".repeat(36), title: "Alien", links: [{ rel: "self", href: "http://localhost/x" }] });
var which = process.argv[2];
var paths = Array.from({ length: 30 }, (_, i) => [`/api/rest/r${i}`, `/api/rest/r${i}/{pk}`, `/api/rest/r${i}/jsonschema`, `/api/rest/r${i}/{pk}/{rel}`]).flat();
if (which === "bare") {
  const app = fastify2({ logger: false });
  for (const p of paths) app.get(p.replace(/\{(\w+)\}/g, ":$1"), async (_q, r) => {
    r.header("content-type", "application/json");
    return body;
  });
  process.stdout.write(await app.listen({ port: 0, host: "127.0.0.1" }) + "\n");
} else {
  const s = createServer({
    host: "127.0.0.1",
    port: 0,
    maxBodyBytes: 1e6,
    log: { isLevelEnabled: () => false, debug() {
    }, error() {
    } },
    routes: paths.map((path) => ({ method: "GET", path, handler: async () => ({ status: 200, headers: { "content-type": "application/json" }, body }) })),
    notFound: () => ({ status: 404 }),
    onFault: () => ({ status: 500 }),
    ...which === "cors" && { decorate: () => ({ vary: "Origin" }) }
  });
  process.stdout.write(await s.listen() + "\n");
}
process.on("SIGUSR2", () => {
  const u = process.cpuUsage();
  process.stdout.write(`cpu ${u.user + u.system}
`);
});
process.on("SIGINT", () => process.exit(0));
