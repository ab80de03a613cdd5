/** Runs a Lua file of install/argocd on fengari, with the libraries that Argo CD opens and `obj` as its only input. */
import { readFileSync } from 'node:fs';
import fengari from 'fengari';
import { load } from 'js-yaml';

const { lua, lauxlib, lualib, to_luastring: luaString } = fengari;

export const INSTALL_FOLDER = new URL('../../install/argocd/', import.meta.url).pathname;

/** The table that the script returns, as JSON would carry it. Throws the script's error, and when it is no table. */
export function runLua(path: string, obj: unknown): unknown {
  const state = lauxlib.luaL_newstate();
  try {
    openLibraries(state);
    pushValue(state, obj);
    lua.lua_setglobal(state, luaString('obj'));
    const text = luaString(readFileSync(INSTALL_FOLDER + path, 'utf8'));
    const loaded = lauxlib.luaL_loadbuffer(state, text, text.length, luaString(path));
    if (loaded !== lua.LUA_OK || lua.lua_pcall(state, 0, 1, 0) !== lua.LUA_OK) {
      throw new Error(lua.lua_tojsstring(state, -1));
    }
    if (lua.lua_type(state, -1) !== lua.LUA_TTABLE) throw new Error(`${path} returned no table`);
    return valueAtTop(state);
  } finally {
    lua.lua_close(state);
  }
}

export function readInstallYaml(path: string): unknown {
  return load(readFileSync(INSTALL_FOLDER + path, 'utf8'));
}

function openLibraries(state: fengari.State): void {
  const { luaopen_base, luaopen_package, luaopen_table } = lualib;
  for (const [name, open] of Object.entries({ _G: luaopen_base, package: luaopen_package, table: luaopen_table })) {
    lauxlib.luaL_requiref(state, luaString(name), open, 1);
    lua.lua_pop(state, 1);
  }
  lua.lua_getglobal(state, luaString('package'));
  lua.lua_getfield(state, -1, luaString('preload'));
  lua.lua_pushcfunction(state, openSafeOs);
  lua.lua_setfield(state, -2, luaString('os'));
  lua.lua_pop(state, 2);
}

function openSafeOs(state: fengari.State): number {
  lua.lua_createtable(state, 0, 1);
  lua.lua_pushcfunction(state, date);
  lua.lua_setfield(state, -2, luaString('date'));
  return 1;
}

/** `os.date` with a UTC format, which fengari's own prints in local time and with its leading `!`. */
function date(state: fengari.State): number {
  const format = lua.lua_tojsstring(state, 1);
  if (!format.startsWith('!')) throw new Error(`${format} asks for local time`);
  const [year, month, day, hour, minute, second] = new Date().toISOString().split(/[-T:.]/);
  const parts: Record<string, string | undefined> = { Y: year, m: month, d: day, H: hour, M: minute, S: second };
  const text = format.slice(1).replace(/%(.)/g, (whole, letter: string) => parts[letter] ?? whole);
  lua.lua_pushstring(state, luaString(text));
  return 1;
}

/** Nulls are dropped, in maps and in lists, as Argo CD drops them. */
function pushValue(state: fengari.State, value: unknown): void {
  if (typeof value === 'boolean') lua.lua_pushboolean(state, value);
  else if (typeof value === 'string') lua.lua_pushstring(state, luaString(value));
  else if (typeof value === 'number') pushNumber(state, value);
  else if (Array.isArray(value)) pushList(state, value);
  else if (typeof value === 'object' && value !== null) pushMap(state, value);
  else lua.lua_pushnil(state);
}

/** Lua 5.3 prints a float that is whole as 1.0, Argo CD's 5.1 as 1. */
function pushNumber(state: fengari.State, value: number): void {
  if (Number.isInteger(value)) lua.lua_pushinteger(state, value);
  else lua.lua_pushnumber(state, value);
}

function pushList(state: fengari.State, list: unknown[]): void {
  const items = list.filter((item) => item !== null);
  lua.lua_createtable(state, items.length, 0);
  for (const [index, item] of items.entries()) {
    pushValue(state, item);
    lua.lua_rawseti(state, -2, index + 1);
  }
}

function pushMap(state: fengari.State, map: object): void {
  lua.lua_createtable(state, 0, 0);
  for (const [key, item] of Object.entries(map)) {
    pushValue(state, item);
    lua.lua_setfield(state, -2, luaString(key));
  }
}

function valueAtTop(state: fengari.State): unknown {
  const type = lua.lua_type(state, -1);
  if (type === lua.LUA_TBOOLEAN) return lua.lua_toboolean(state, -1);
  if (type === lua.LUA_TNUMBER) return lua.lua_tonumber(state, -1);
  if (type === lua.LUA_TSTRING) return lua.lua_tojsstring(state, -1);
  return tableAtTop(state);
}

/** A table without text keys is a list, the empty one too: so does Argo CD's encoder see it. */
function tableAtTop(state: fengari.State): unknown {
  const list: unknown[] = [];
  const map: Record<string, unknown> = {};
  lua.lua_pushnil(state);
  while (lua.lua_next(state, -2) !== 0) {
    const value = valueAtTop(state);
    lua.lua_pop(state, 1);
    if (lua.lua_type(state, -1) === lua.LUA_TNUMBER) list[lua.lua_tonumber(state, -1) - 1] = value;
    else map[lua.lua_tojsstring(state, -1)] = value;
  }
  return Object.keys(map).length > 0 ? map : list;
}
