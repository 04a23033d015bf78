#!/bin/sh
# posthog-server 2.3.3 for Java: getFeatureFlagPayload gives the JSON text as a String, with quotes for the string "text",
# though its type is Object. The SDKs for Node and Python give the value.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "payload": "\"text\"" }, "b": { "payload": "12" }, "c": { "payload": "{\"x\":1}" } }
FLAGS
java_program com.posthog posthog-server 2.3.3 <<'PROGRAM'
import com.posthog.server.PostHog;
import com.posthog.server.PostHogConfig;

public class Main {
    public static void main(String[] words) {
        PostHog sdk = new PostHog();
        sdk.setup(PostHogConfig.builder("t").host(System.getenv("host")).sendFeatureFlagEvent(false).build());
        for (String key : new String[] {"a", "b", "c"}) {
            Object payload = sdk.getFeatureFlagPayload("u", key);
            System.out.println(payload.getClass().getSimpleName() + " " + payload);
        }
        System.exit(0);
    }
}
PROGRAM
seen payloads 'String "text"
String 12
String {"x":1}' "$(cat out)"
