// The Lua scripts of install/argocd, run as Argo CD runs them: gopher-lua with the libraries that Argo CD opens
// (util/lua/lua.go), one second, `obj` as the only input, the answer read through JSON.
// `go test` prints the counts; `go test ./...` needs -v for that.
package lua_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
	luajson "layeh.com/gopher-json"
	"sigs.k8s.io/yaml"
)

const installFolder = "../../install/argocd"

type object = map[string]any

// script is a compiled Lua file and the lines that ran in it so far.
type script struct {
	name  string
	proto *lua.FunctionProto
	ran   map[int]bool
}

func loadScript(t *testing.T, name string) *script {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(installFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, name, string(text))
}

func compile(t *testing.T, name, text string) *script {
	t.Helper()
	chunk, err := parse.Parse(strings.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	proto, err := lua.Compile(chunk, name)
	if err != nil {
		t.Fatal(err)
	}
	return &script{name: name, proto: proto, ran: map[int]bool{}}
}

// run returns the script's last value as JSON. Like Argo CD it takes nothing but a table.
func (s *script) run(obj object) ([]byte, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	openLibraries(state)
	limited, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	state.SetContext(&lineRecorder{Context: limited, state: state, ran: s.ran})
	state.SetGlobal("obj", toLua(state, obj))
	state.Push(state.NewFunctionFromProto(s.proto))
	if err := state.PCall(0, lua.MultRet, nil); err != nil {
		if apiError, ok := err.(*lua.ApiError); ok && apiError.Type == lua.ApiErrorRun {
			apiError.StackTrace = "" // Argo CD shows the user the error without it
		}
		return nil, err
	}
	value := state.Get(-1)
	if value.Type() != lua.LTTable {
		return nil, fmt.Errorf("%s returned %s, not a table", s.name, value.Type())
	}
	return luajson.Encode(value)
}

// openLibraries opens package, base and table. Argo CD's "safe os" is `date` and `time`, registered in the table
// library's own table (so there is no global `os`) and behind require("os").
func openLibraries(state *lua.LState) {
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}} {
		state.Push(state.NewFunction(library.open))
		state.Push(lua.LString(library.name))
		state.Call(1, 0)
	}
	state.RegisterModule(lua.TabLibName, safeOs)
	state.PreloadModule(lua.OsLibName, func(l *lua.LState) int {
		l.Push(l.SetFuncs(l.NewTable(), safeOs))
		return 1
	})
}

var safeOs = func() map[string]lua.LGFunction {
	full := lua.NewState()
	defer full.Close()
	library := full.GetGlobal(lua.OsLibName).(*lua.LTable)
	functions := map[string]lua.LGFunction{}
	for _, name := range []string{"date", "time"} {
		functions[name] = library.RawGetString(name).(*lua.LFunction).GFunction
	}
	return functions
}()

// toLua drops nulls, in maps and in lists, as Argo CD's decodeValue does.
func toLua(state *lua.LState, value any) lua.LValue {
	switch typed := value.(type) {
	case bool:
		return lua.LBool(typed)
	case float64:
		return lua.LNumber(typed)
	case string:
		return lua.LString(typed)
	case []any:
		table := state.NewTable()
		for _, item := range typed {
			table.Append(toLua(state, item))
		}
		return table
	case object:
		table := state.NewTable()
		for key, item := range typed {
			table.RawSetString(key, toLua(state, item))
		}
		return table
	}
	return lua.LNil
}

// lineRecorder notes the line of every instruction: gopher-lua has no line hook, but it asks its context whether it
// is done before each instruction.
type lineRecorder struct {
	context.Context
	state *lua.LState
	ran   map[int]bool
}

func (r *lineRecorder) Done() <-chan struct{} {
	if frame, ok := r.state.GetStack(0); ok {
		if _, err := r.state.GetInfo("l", frame, lua.LNil); err == nil {
			r.ran[frame.CurrentLine] = true
		}
	}
	return r.Context.Done()
}

// expectEveryLineRan fails for each line with code that never ran.
func (s *script) expectEveryLineRan(t *testing.T) {
	t.Helper()
	wanted := map[int]bool{}
	collectLines(s.proto, wanted)
	missed := 0
	for line := range wanted {
		if !s.ran[line] {
			missed++
			t.Errorf("%s:%d never ran", s.name, line)
		}
	}
	if len(wanted) == 0 {
		t.Errorf("%s has no lines", s.name)
	}
	fmt.Printf("%s: %d of %d lines ran\n", s.name, len(wanted)-missed, len(wanted))
}

// collectLines leaves out each function's last instruction: the return that the compiler adds after the last line.
func collectLines(proto *lua.FunctionProto, lines map[int]bool) {
	for _, line := range proto.DbgSourcePositions[:len(proto.DbgSourcePositions)-1] {
		lines[line] = true
	}
	for _, inner := range proto.FunctionPrototypes {
		collectLines(inner, lines)
	}
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(installFolder, path))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func readObject(t *testing.T, path string) object {
	t.Helper()
	read := object{}
	readYAML(t, path, &read)
	return read
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// expectAllFilesUsed keeps a fixture from lying in the folder without a test.
func expectAllFilesUsed(t *testing.T, folder string, used map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(installFolder, folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures in %s: %v", folder, err)
	}
	for _, file := range files {
		if name := "testdata/" + filepath.Base(file); !used[name] {
			t.Errorf("%s is in no test", name)
		}
	}
}

func TestSandboxHasNoMoreThanArgoCD(t *testing.T) {
	for _, library := range []string{"string", "math", "os", "io", "debug", "coroutine", "channel"} {
		answer, err := compile(t, library, "return { kind = type("+library+") }").run(object{})
		if err != nil || string(answer) != `{"kind":"nil"}` {
			t.Errorf("%s: %s %v", library, answer, err)
		}
	}
	if _, err := compile(t, "find", `return { ("text"):find("x") }`).run(object{}); err == nil {
		t.Error("a string has methods")
	}
	if answer, err := compile(t, "exit", `return { kind = type(require("os").exit) }`).run(object{}); string(answer) != `{"kind":"nil"}` {
		t.Errorf("os.exit: %s %v", answer, err)
	}
}
