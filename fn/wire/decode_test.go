package wire

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type name string

type inner struct {
	A string `json:"a"`
	B *int   `json:"b"`
}

type Embedded struct {
	Deep   string `json:"deep"`
	Hidden string `json:"own"`
}

type Pointed struct {
	Far string `json:"far"`
}

// everything has a field of each form.
type everything struct {
	Embedded `json:",inline"`
	*Pointed

	Named  inner `json:",inline"`
	Own    string
	Over   string             `json:"own"`
	Skip   string             `json:"-"`
	Bool   bool               `json:"bool"`
	I8     int8               `json:"i8"`
	I64    int64              `json:"i64"`
	U16    uint16             `json:"u16"`
	U64    uint64             `json:"u64"`
	F32    float32            `json:"f32"`
	F64    float64            `json:"f64"`
	Name   name               `json:"name"`
	Bytes  []byte             `json:"bytes"`
	Strs   []string           `json:"strs"`
	Ptrs   []*inner           `json:"ptrs"`
	Map    map[name]inner     `json:"map"`
	Labels map[string]string  `json:"labels"`
	Ints   map[string]int     `json:"ints"`
	Ptr    **inner            `json:"ptr"`
	Any    any                `json:"any"`
	Qty    resource.Quantity  `json:"qty"`
	Port   intstr.IntOrString `json:"port"`
	Time   metav1.Time        `json:"time"`
	Period *metav1.Duration   `json:"period"`
	Text   level              `json:"text"`
	Raw    json.RawMessage    `json:"raw"`
}

// level decodes itself from text.
type level int

func (l *level) UnmarshalText(b []byte) error {
	*l = level(len(b))
	return nil
}

func TestUnmarshalLikeJSON(t *testing.T) {
	cases := map[string]struct {
		reason string
		json   string
	}{
		"Empty":      {"Nothing is set.", `{}`},
		"Scalars":    {"Each kind of scalar.", `{"bool":true,"i8":-128,"i64":-9007199254740992,"u16":65535,"u64":9007199254740992,"f32":0.1,"f64":-1e300,"name":"x"}`},
		"Zeros":      {"Minus zero is zero.", `{"i8":-0,"i64":3,"f64":-0.0}`},
		"Inlined":    {"Embedded structs are inlined, and the outer field hides the inner.", `{"deep":"d","own":"o","Own":"p","far":"f"}`},
		"Case":       {"Names match exactly.", `{"BOOL":true,"Name":"x"}`},
		"Skipped":    {"Fields without a name are none.", `{"Skip":"x","-":"y"}`},
		"Bytes":      {"Bytes are in base64.", `{"bytes":"aGVsbG8="}`},
		"ByteList":   {"Or in a list.", `{"bytes":[1,2,255]}`},
		"Lists":      {"Lists, with null and empty ones.", `{"strs":["a","b",null],"ptrs":[null,{"a":"x","b":0},{}]}`},
		"EmptyOnes":  {"Empty is not nil.", `{"strs":[],"map":{},"labels":{},"bytes":"","any":{}}`},
		"Maps":       {"Maps of all sorts.", `{"map":{"x":{"a":"1"},"":null},"labels":{"a":"b","c":null},"ints":{"a":1}}`},
		"Pointers":   {"Pointers are made.", `{"ptr":{"a":"x","b":7}}`},
		"Nulls":      {"Null unsets what can be nil.", `{"bool":null,"i8":null,"name":null,"bytes":null,"strs":null,"map":null,"labels":null,"ptr":null,"any":null,"qty":null,"time":null,"period":null,"text":null,"raw":null}`},
		"Any":        {"An any takes what comes.", `{"any":{"a":[1,"x",true,null,{"b":{}}]}}`},
		"Kubernetes": {"Types with UnmarshalJSON.", `{"qty":"1500m","port":"http","time":"2026-01-02T03:04:05Z","period":"1m30s","text":"four"}`},
		"Numbers":    {"The same from numbers.", `{"qty":2,"port":8080}`},
		"RawMessage": {"JSON is kept, with keys in order.", `{"raw":{"a":[1,1e-7,1e+21,"\"\\\u0001é"],"b":null}}`},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			var want, got everything
			// What encoding/json makes of another case is the one thing that differs.
			if n != "Case" {
				if err := json.Unmarshal([]byte(tc.json), &want); err != nil {
					t.Fatal(err)
				}
			}
			if err := Unmarshal(encodeJSON(t, []byte(tc.json)), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("\n%s\nUnmarshal(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUnmarshalMistakes(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     map[string]any
		want   []string
	}{
		"Types": {"Every mistake is found, ordered by path.", map[string]any{
			"i8": "http", "bool": 1.0, "name": true, "strs": map[string]any{}, "map": []any{}, "ptr": "x", "labels": 1.0, "f64": "1", "bytes": 3.0, "text": 1.0,
		}, []string{
			`bool: expected true or false, got a number 1`,
			`bytes: expected a string, got a number 3`,
			`f64: expected a number, got a string "1"`,
			`i8: expected a whole number, got a string "http"`,
			`labels: expected an object, got a number 1`,
			`map: expected an object, got a list`,
			`name: expected a string, got true`,
			`ptr: expected an object, got a string "x"`,
			`strs: expected a list, got an object`,
			`text: expected a string, got a number 1`,
		}},
		"Numbers": {"Numbers must fit.", map[string]any{"i8": 128.0, "ints": map[string]any{"a": 1.5}, "u16": -1.0, "i64": 0x1p63, "u64": 0x1p64, "f32": 1e39, "f64": math.NaN(), "any": math.Inf(1), "qty": math.Inf(-1)}, []string{
			`any: expected a finite number, got a number +Inf`,
			`f32: expected a number that fits 32 bits, got a number 1e+39`,
			`f64: expected a finite number, got a number NaN`,
			`i8: expected a whole number from -128 to 127, got a number 128`,
			`i64: expected a whole number from -9223372036854775808 to 9223372036854775807, got a number 9.223372036854776e+18`,
			`ints.a: expected a whole number, got a number 1.5`,
			`qty: expected a finite number, got a number -Inf`,
			`u16: expected a whole number from 0 to 65535, got a number -1`,
			`u64: expected a whole number from 0 to 18446744073709551615, got a number 1.8446744073709552e+19`,
		}},
		"Paths": {"Paths have indices and keys.", map[string]any{
			"strs": []any{"a", 1.0, "b", "c", "d", "e", "f", "g", "h", "i", 2.0},
			"ptrs": []any{map[string]any{"b": "x"}}, "map": map[string]any{"a.b": map[string]any{"a": 1.0}, "plain": 1.0}, "labels": map[string]any{"x/y": 2.0},
		}, []string{
			`labels["x/y"]: expected a string, got a number 2`,
			`map.plain: expected an object, got a number 1`,
			`map["a.b"].a: expected a string, got a number 1`,
			`ptrs[0].b: expected a whole number, got a string "x"`,
			`strs[1]: expected a string, got a number 1`,
			`strs[10]: expected a string, got a number 2`,
		}},
		"Others": {"What other types say is passed on.", map[string]any{"qty": "x", "bytes": "%", "name": strings.Repeat("ä", 100)}, []string{
			`bytes: expected a string in base64, got a string "%"`,
			`qty: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
		}},
		"Long": {"A long string is cut.", map[string]any{"i8": strings.Repeat("ä", 100)}, []string{`i8: expected a whole number, got a string "` + strings.Repeat("ä", 32) + `..."`}},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			var into everything
			mistakes, _ := Unmarshal(encodeMap(t, tc.in), &into).(FieldErrors) //nolint:errorlint // It is returned as it is.
			var got []string
			for _, m := range mistakes {
				got = append(got, m.Error())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nUnmarshal(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestUnmarshalMany shows that neither the number of mistakes nor the order on the wire makes a difference.
func TestUnmarshalMany(t *testing.T) {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := range 3 * maxKept {
		s.Fields[strings.Repeat("k", i%70)+string(rune('ä'+i))] = structpb.NewBoolValue(true)
	}
	var first string
	for range 3 {
		// Without Deterministic, generated code writes the entries in a random order.
		b, err := proto.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		mistakes, _ := Unmarshal(b, &map[string]int{}).(FieldErrors) //nolint:errorlint // Unmarshal returns it as it is.
		if len(mistakes) != maxMistakes+1 || len(mistakes.Error()) > 8<<10 {
			t.Fatalf("Unmarshal(...): %d mistakes in %d bytes", len(mistakes), len(mistakes.Error()))
		}
		if first == "" {
			first = mistakes.Error()
		}
		if diff := cmp.Diff(first, mistakes.Error()); diff != "" {
			t.Errorf("Unmarshal(...): order matters:\n%s", diff)
		}
	}
}

// TestTimeZone shows that a time reads as metav1.Time reads it elsewhere.
func TestTimeZone(t *testing.T) {
	var got struct {
		At metav1.Time `json:"at"`
	}
	if err := Unmarshal(encodeMap(t, map[string]any{"at": "2026-01-02T03:04:05+02:00"}), &got); err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 1, 2, 1, 4, 5, 0, time.UTC); !got.At.Equal(new(metav1.NewTime(want))) {
		t.Errorf("Unmarshal(...): got %v", got.At)
	}
}
