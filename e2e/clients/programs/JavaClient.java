import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Java's HttpClient in its default settings, which offers HTTP/2: java JavaClient.java URL TOKEN. */
public class JavaClient {
  private static final int STREAM_LIMIT_S = 20;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static HttpResponse<String> send(
      String method, URI uri, String session, String body, int status) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (session != null) request.header("Authorization", "Bearer " + session);
    if (body != null) request.header("Content-Type", "application/json");
    request.method(method, body == null
        ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    HttpResponse<String> reply = CLIENT.send(request.build(), BodyHandlers.ofString());
    if (reply.statusCode() != status) {
      throw new IllegalStateException(uri + " " + reply.statusCode() + " " + reply.body());
    }
    return reply;
  }

  /** Counts down when the stream reports the end of a motion. */
  private static WebSocket.Listener untilEnd(CountDownLatch end) {
    Pattern state = Pattern.compile("\"state\":\"(\\w+)\"");
    return new WebSocket.Listener() {
      private final StringBuilder text = new StringBuilder();
      private boolean moving = false;

      @Override
      public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
          Matcher found = state.matcher(text);
          while (found.find()) {
            if (found.group(1).equals("running")) moving = true;
            else if (moving && found.group(1).equals("ready")) end.countDown();
          }
          text.setLength(0);
        }
        return WebSocket.Listener.super.onText(socket, data, last);
      }
    };
  }

  public static void main(String[] arguments) throws Exception {
    URI base = URI.create(arguments[0]);
    String entered = send("POST", base.resolve("/api/v1/auth"), null,
        "{\"token\":\"" + arguments[1] + "\"}", 200).body();
    String session = entered.replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
    CountDownLatch end = new CountDownLatch(1);
    WebSocket stream = CLIENT.newWebSocketBuilder()
        .subprotocols("SessionToken_" + session, "object")
        .buildAsync(URI.create("ws://" + base.getAuthority() + "/api/v1/data/stream"), untilEnd(end))
        .get();
    URI lock = base.resolve("/api/v1/controls/lock");
    send("POST", lock, session, null, 200);
    send("POST", base.resolve("/api/v1/controls/go_to"), session,
        "{\"joints\":[0.3,0.4,-1.6,0,-1.2,0],\"mode\":\"automatic\"}", 204);
    if (!end.await(STREAM_LIMIT_S, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the stream did not report the end of the motion");
    }
    stream.sendClose(WebSocket.NORMAL_CLOSURE, "").get();
    send("DELETE", lock, session, null, 200);
    send("DELETE", base.resolve("/api/v1/auth"), session, null, 204);
    System.out.println("java.net.http of Java " + System.getProperty("java.version"));
    System.exit(0);
  }
}
