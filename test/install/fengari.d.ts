/** The part of fengari (a Lua 5.3 in JavaScript, shipped without types) that the Lua tests use. */
declare module 'fengari' {
  namespace fengari {
    interface State {
      readonly state: unique symbol;
    }
  }
  type LuaString = Uint8Array;
  type NativeFunction = (state: fengari.State) => number;

  interface Lua {
    LUA_OK: number;
    LUA_TBOOLEAN: number;
    LUA_TNUMBER: number;
    LUA_TSTRING: number;
    LUA_TTABLE: number;
    lua_close: (state: fengari.State) => void;
    lua_createtable: (state: fengari.State, items: number, fields: number) => void;
    lua_getfield: (state: fengari.State, index: number, key: LuaString) => number;
    lua_getglobal: (state: fengari.State, name: LuaString) => number;
    lua_next: (state: fengari.State, index: number) => number;
    lua_pcall: (state: fengari.State, args: number, results: number, handler: number) => number;
    lua_pop: (state: fengari.State, count: number) => void;
    lua_pushboolean: (state: fengari.State, value: boolean) => void;
    lua_pushcfunction: (state: fengari.State, value: NativeFunction) => void;
    lua_pushinteger: (state: fengari.State, value: number) => void;
    lua_pushnil: (state: fengari.State) => void;
    lua_pushnumber: (state: fengari.State, value: number) => void;
    lua_pushstring: (state: fengari.State, value: LuaString) => void;
    lua_rawseti: (state: fengari.State, index: number, key: number) => void;
    lua_setfield: (state: fengari.State, index: number, key: LuaString) => void;
    lua_setglobal: (state: fengari.State, name: LuaString) => void;
    lua_toboolean: (state: fengari.State, index: number) => boolean;
    lua_tojsstring: (state: fengari.State, index: number) => string;
    lua_tonumber: (state: fengari.State, index: number) => number;
    lua_type: (state: fengari.State, index: number) => number;
  }

  interface Auxiliary {
    luaL_loadbuffer: (state: fengari.State, text: LuaString, size: number, name: LuaString) => number;
    luaL_newstate: () => fengari.State;
    luaL_requiref: (state: fengari.State, name: LuaString, open: NativeFunction, global: number) => void;
  }

  interface Libraries {
    luaopen_base: NativeFunction;
    luaopen_package: NativeFunction;
    luaopen_table: NativeFunction;
  }

  const fengari: {
    lua: Lua;
    lauxlib: Auxiliary;
    lualib: Libraries;
    to_luastring: (text: string) => LuaString;
  };
  export = fengari;
}
