//! Rust's ureq in its default settings, with the crates of Debian: rust_client URL TOKEN.
//!
//! Logs in, takes the lock, moves until the robot is ready again, releases, logs out. ureq has no
//! WebSocket.
use std::{env, thread, time::Duration};

const WAIT: Duration = Duration::from_millis(50);
const WAITS: u32 = 400;

fn text(reply: Result<ureq::Response, ureq::Error>) -> String {
    match reply {
        Ok(reply) => reply.into_string().expect("a reply in UTF-8"),
        Err(ureq::Error::Status(status, reply)) => {
            panic!("{} {}", status, reply.into_string().unwrap_or_default())
        }
        Err(error) => panic!("{}", error),
    }
}

fn main() {
    let given: Vec<String> = env::args().collect();
    let (base, token) = (&given[1], &given[2]);
    let log_in = format!("{{\"token\":\"{}\"}}", token);
    let reply = text(
        ureq::post(&format!("{}/api/v1/auth", base))
            .set("Content-Type", "application/json")
            .send_string(&log_in),
    );
    let session = reply.split('"').nth(3).expect("a session token").to_string();
    let bearer = format!("Bearer {}", session);
    let call = |method: &str, path: &str| {
        ureq::request(method, &format!("{}/api/v1/{}", base, path)).set("Authorization", &bearer)
    };
    let state = || {
        let snapshot = text(call("GET", "data/snapshot").call());
        let at = snapshot.find("\"state\":\"").expect("a state") + 9;
        snapshot[at..].split('"').next().unwrap_or_default().to_string()
    };
    text(call("POST", "controls/lock").call());
    let pose = "{\"mode\":\"automatic\",\"joints\":[0.2,0.3,-1.7,0,-1.2,0]}";
    text(
        call("POST", "controls/go_to")
            .set("Content-Type", "application/json")
            .send_string(pose),
    );
    assert_eq!(state(), "running");
    let has_arrived = (0..WAITS).any(|_| {
        thread::sleep(WAIT);
        state() == "ready"
    });
    assert!(has_arrived, "the robot is not ready again");
    text(call("DELETE", "controls/lock").call());
    text(call("DELETE", "auth").call());
    match call("GET", "controls/lock").call() {
        Err(ureq::Error::Status(401, _)) => {}
        other => panic!("the session still works: {:?}", other),
    }
    println!("ureq of Rust");
}
