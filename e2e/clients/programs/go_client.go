// Go's net/http in its default settings: go run go_client.go URL TOKEN.
//
// Calls carry no Content-Type, as the Go driver of the field sends them, so that motion calls are
// answered 200. The stream is opened through the same client, which hands over the connection.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"
)

const streamLimit = 20 * time.Second

func fail(reason ...any) {
	fmt.Fprintln(os.Stderr, reason...)
	os.Exit(1)
}

func request(method, url, session, body string, headers map[string]string) *http.Response {
	made, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		fail(err)
	}
	if session != "" {
		made.Header.Set("Authorization", "Bearer "+session)
	}
	for name, value := range headers {
		made.Header.Set(name, value)
	}
	reply, err := http.DefaultClient.Do(made)
	if err != nil {
		fail(err)
	}
	return reply
}

func call(method, url, session, body string, status int) []byte {
	reply := request(method, url, session, body, nil)
	text, _ := io.ReadAll(reply.Body)
	reply.Body.Close()
	if reply.StatusCode != status {
		fail(method, url, reply.StatusCode, string(text))
	}
	return text
}

// message reads one unfragmented frame of the server; it sends no longer ones masked or in parts.
func message(stream *bufio.Reader) (byte, []byte) {
	head := make([]byte, 2)
	if _, err := io.ReadFull(stream, head); err != nil {
		fail("the stream ended:", err)
	}
	length := uint64(head[1])
	if length == 126 {
		var size uint16
		_ = binary.Read(stream, binary.BigEndian, &size)
		length = uint64(size)
	} else if length == 127 {
		_ = binary.Read(stream, binary.BigEndian, &length)
	}
	data := make([]byte, length)
	_, _ = io.ReadFull(stream, data)
	return head[0] & 15, data
}

func awaitEnd(stream *bufio.Reader) {
	moving := false
	for {
		kind, data := message(stream)
		var event struct {
			Changes struct{ Control struct{ State string } }
		}
		if kind != 1 || json.Unmarshal(data, &event) != nil {
			continue
		}
		state := event.Changes.Control.State
		moving = moving || state == "running"
		if moving && state == "ready" {
			return
		}
	}
}

func main() {
	base, token := os.Args[1], os.Args[2]
	time.AfterFunc(streamLimit, func() { fail("the stream did not report the end of the motion") })
	var entered struct{ Token string }
	text := call("POST", base+"/api/v1/auth", "", `{"token":"`+token+`"}`, 200)
	if err := json.Unmarshal(text, &entered); err != nil {
		fail(err)
	}
	session := entered.Token
	opened := request("GET", base+"/api/v1/data/stream", session, "", map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
	})
	if opened.StatusCode != 101 {
		fail("the stream was not opened:", opened.StatusCode)
	}
	call("POST", base+"/api/v1/controls/lock", session, "", 200)
	body := `{"joints":[0.2,0.4,-1.6,0,-1.2,0],"mode":"automatic","time":null}`
	call("POST", base+"/api/v1/controls/go_to", session, body, 200)
	awaitEnd(bufio.NewReader(opened.Body))
	call("DELETE", base+"/api/v1/controls/lock", session, "", 200)
	call("DELETE", base+"/api/v1/auth", session, "", 204)
	fmt.Println("net/http of", runtime.Version())
}
