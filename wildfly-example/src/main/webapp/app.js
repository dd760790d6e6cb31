"use strict";

const RACE_MILLIS = 10_000;
const ANSWERS_SHOWN = 15;

const REQUESTS = [
  {path: "/api/books?q=e%C3%A7a", limit: "100 in the last minute (premium 1000)", times: [1, 20, 101]},
  {path: "/api/books/os-maias", limit: "10 a second and 300 a minute", times: [1, 20]},
  {path: "/api/books/nothing", limit: "the same gates: a 404 counts too", times: [1]},
  {path: "/api/reports/1888", limit: "100 a minute and 2000 a day, each costs 10", times: [1, 11]},
  {path: "/api/reports/1755", limit: "the same gates, and an answer of 503", times: [1]},
  {path: "/api/login", limit: "5 that fail in 15 minutes, by address", times: [1, 6],
    body: {user: "ana", password: "a guess"}},
  {path: "/api/login", limit: "the same gate: the right password costs nothing", times: [1],
    body: {user: "ana", password: "sluice"}},
  {path: "/api/status", limit: "none", times: [1]},
];

const byId = (id) => document.getElementById(id);

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}

function headersOfCaller() {
  const key = byId("key").value;
  return key ? {"X-API-Key": key} : {};
}

function send(request) {
  const options = {headers: headersOfCaller(), cache: "no-store"};
  if (request.body) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(request.body);
  }
  return fetch(request.path, options);
}

function secondsUntil(unixSeconds) {
  return Math.max(0, Math.ceil(unixSeconds - Date.now() / 1000)) + " s";
}

function showAnswer(path, response) {
  const header = (name) => response.headers.get(name);
  const reset = header("X-RateLimit-Reset");
  const row = document.createElement("tr");
  row.append(
    element("td", path, "mono"),
    element("td", String(response.status), response.status === 429 ? "refused" : ""),
    element("td", header("X-RateLimit-Limit") ?? "–", "number"),
    element("td", header("X-RateLimit-Remaining") ?? "–", "number"),
    element("td", reset === null ? "–" : secondsUntil(Number(reset)), "number"),
    element("td", header("Retry-After") === null ? "–" : header("Retry-After") + " s", "number"),
    element("td", header("RateLimit") ?? "–", "mono"));
  const answers = byId("answers");
  answers.prepend(row);
  while (answers.rows.length > ANSWERS_SHOWN) {
    answers.deleteRow(-1);
  }
}

async function sendMany(request, times) {
  const responses = await Promise.all(Array.from({length: times}, () => send(request)));
  const counts = new Map();
  for (const response of responses) {
    showAnswer(request.path, response);
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }
  const text = [...counts].map(([status, count]) => `${count} × ${status}`).join(", ");
  byId("summary").textContent = `${request.path}: ${text}`;
  await showGates();
}

function gateItem(gate) {
  const item = document.createElement("li");
  const bar = document.createElement("progress");
  bar.max = gate.limit;
  bar.value = gate.remaining;
  bar.setAttribute("aria-label", `${gate.name}: ${gate.remaining} of ${gate.limit} left`);
  const whole = gate.remaining < gate.limit
    ? `, whole again in ${secondsUntil(gate.resetAtMillis / 1000)}` : "";
  item.append(
    element("code", gate.name), bar, element("span", `${gate.remaining} of ${gate.limit}${whole}`));
  return item;
}

async function showGates() {
  const response = await fetch("/api/limits", {headers: headersOfCaller(), cache: "no-store"});
  if (response.ok) {
    byId("gates").replaceChildren(...(await response.json()).map(gateItem));
  }
}

const pause = (millis) => new Promise((resume) => setTimeout(resume, millis));

/** Milliseconds that a client which reads would wait after this answer. */
function politePause(response) {
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  if (retryAfter > 0) {
    return retryAfter * 1000;
  }
  const waits = [...(response.headers.get("RateLimit") ?? "").matchAll(/;r=(\d+);t=(\d+)/g)]
    .map(([, remaining, seconds]) => remaining === "0" ? Number(seconds) * 1000 : 0);
  return Math.max(0, ...waits);
}

async function race(name, pauseAfter) {
  const buttons = [byId("naive"), byId("polite")];
  buttons.forEach((button) => { button.disabled = true; });
  const counts = {sent: 0, answered: 0, refused: 0};
  const end = Date.now() + RACE_MILLIS;
  while (Date.now() < end) {
    counts.sent++;
    const response = await send({path: "/api/books/os-maias"});
    counts[response.status === 429 ? "refused" : "answered"]++;
    await pause(Math.min(pauseAfter(response), end - Date.now()));
  }
  const row = document.createElement("tr");
  row.append(element("td", name),
    ...Object.values(counts).map((count) => element("td", String(count), "number")));
  byId("results").append(row);
  buttons.forEach((button) => { button.disabled = false; });
}

function requestRow(request) {
  const row = document.createElement("tr");
  const buttons = document.createElement("td");
  for (const times of request.times) {
    const button = element("button", times === 1 ? "once" : times + " at once");
    button.type = "button";
    button.setAttribute("aria-label", `send ${request.path} ${button.textContent}`);
    button.addEventListener("click", () => sendMany(request, times));
    buttons.append(button, " ");
  }
  const method = request.body ? "POST " : "GET ";
  row.append(element("td", method + request.path, "mono"), element("td", request.limit), buttons);
  return row;
}

async function showServer() {
  const status = await (await fetch("/api/status")).json();
  byId("server").textContent = `This server has ${status.books} books and counts in ${status.store}.`;
}

byId("requests").append(...REQUESTS.map(requestRow));
byId("naive").addEventListener("click", () => race("naive", () => 0));
byId("polite").addEventListener("click", () => race("reads", politePause));
byId("key").addEventListener("change", showGates);
setInterval(showGates, 1000);
showServer();
showGates();
