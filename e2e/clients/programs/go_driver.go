// What the public Go driver of the arm sends, in its order and with its headers: go run
// go_driver.go URL TOKEN [stop]. It is no part of that driver: it is written from what its releases
// send, and stops the arm only as those do that can.
//
// Each call has a session of "Bearer " and nothing until a 401 makes it log in; no call has a
// Content-Type; any other status than 200 is an error, and so is a read reply that is not JSON.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"
)

const (
	pollEvery   = 10 * time.Millisecond
	afterReset  = 100 * time.Millisecond
	runLimit    = 60 * time.Second
	within      = 0.001
	stopsMoving = "stop"
)

type driver struct{ base, token, session string }

type snapshot struct {
	Position []float64              `json:"servos.telemetry.position"`
	Control  map[string]interface{} `json:"control"`
}

func (d *driver) call(method, path string, payload, out interface{}) error {
	return d.attempt(method, path, payload, out, true, path != "name")
}

func (d *driver) attempt(method, path string, payload, out interface{}, logsIn, hasSession bool) error {
	var body io.Reader
	if payload != nil {
		data, err := json.Marshal(payload)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	made, err := http.NewRequest(method, d.base+"/api/v1/"+path, body)
	if err != nil {
		return err
	}
	if hasSession {
		made.Header.Add("Authorization", "Bearer "+d.session)
	}
	reply, err := http.DefaultClient.Do(made)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode == http.StatusUnauthorized && logsIn {
		var entered struct{ Token string }
		login := map[string]string{"token": d.token}
		if err := d.attempt("POST", "auth", login, &entered, false, false); err != nil {
			return err
		}
		d.session = entered.Token
		return d.attempt(method, path, payload, out, false, hasSession)
	}
	if reply.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(reply.Body)
		return fmt.Errorf("%s %s: %d %s", method, path, reply.StatusCode, text)
	}
	if out == nil {
		return nil
	}
	if kind := reply.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		return fmt.Errorf("%s %s: the reply is %s", method, path, kind)
	}
	return json.NewDecoder(reply.Body).Decode(out)
}

func (d *driver) read() (snapshot, error) {
	var found struct{ Snapshot snapshot }
	err := d.call("GET", "data/snapshot", nil, &found)
	return found.Snapshot, err
}

// locked does something with the lock, which it takes for each motion and gives back.
func (d *driver) locked(work func() error) error {
	if err := d.call("POST", "controls/lock", nil, nil); err != nil {
		return err
	}
	err := work()
	if unlocked := d.call("DELETE", "controls/lock", nil, nil); err == nil {
		return unlocked
	}
	return err
}

func (d *driver) awaitEnd() error {
	for {
		found, err := d.read()
		if err != nil || found.Control["run_mode"] == "not_running" {
			return err
		}
		time.Sleep(pollEvery)
	}
}

func (d *driver) goTo(joints []float64) error {
	body := map[string]interface{}{"joints": joints, "mode": "teach"}
	return d.call("POST", "controls/go_to", &body, nil)
}

// moveTo moves, and where the arm is in error resets it and moves once more.
func (d *driver) moveTo(joints []float64) error {
	move := func() error {
		return d.locked(func() error {
			if err := d.goTo(joints); err != nil {
				return err
			}
			return d.awaitEnd()
		})
	}
	err := move()
	if err == nil || !strings.Contains(err.Error(), "Reset hard errors first") {
		return err
	}
	reset := func() error { return d.call("POST", "controls/reset_errors", nil, nil) }
	if err := d.locked(reset); err != nil {
		return err
	}
	time.Sleep(afterReset)
	return move()
}

// stop pauses and cancels a motion in progress, within the lock that it has.
func (d *driver) stop() error {
	if err := d.call("POST", "controls/pause", nil, nil); err != nil {
		return err
	}
	return d.call("POST", "controls/cancel", nil, nil)
}

func (d *driver) stopAMove(joints []float64) error {
	return d.locked(func() error {
		if err := d.goTo(joints); err != nil {
			return err
		}
		time.Sleep(afterReset)
		if err := d.stop(); err != nil {
			return err
		}
		return d.awaitEnd()
	})
}

func arrived(joints, at []float64) error {
	for i := range joints {
		if i >= len(at) || math.Abs(joints[i]-at[i]) > within {
			return fmt.Errorf("the arm is at %v, not at %v", at, joints)
		}
	}
	return nil
}

func run(d *driver, stops bool) error {
	var named struct{ Name string }
	if err := d.call("GET", "name", nil, &named); err != nil {
		return err
	}
	target := []float64{0.2, 0.4, -1.6, 0, -1.2, 0}
	if err := d.moveTo(target); err != nil {
		return err
	}
	found, err := d.read()
	if err != nil {
		return err
	}
	if err := arrived(target, found.Position); err != nil || !stops {
		return err
	}
	return d.stopAMove([]float64{1.2, 0.4, -1.6, 0, -1.2, 0})
}

func main() {
	time.AfterFunc(runLimit, func() {
		fmt.Fprintln(os.Stderr, "the arm did not come to an end")
		os.Exit(1)
	})
	d := &driver{base: os.Args[1], token: os.Args[2]}
	if err := run(d, len(os.Args) > 3 && os.Args[3] == stopsMoving); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("net/http of", runtime.Version())
}
