import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.posthog.server.PostHog;
import com.posthog.server.PostHogConfig;
import com.posthog.server.PostHogFeatureFlagOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** java Main QUESTIONS: what posthog-server answers, one JSON line for each question. */
public class Main {
    static class Asked {
        String host;
        List<Question> questions;
    }

    static class Question {
        String id, token, secret, key, distinctId;
        Map<String, Object> personProperties;
        Map<String, String> groups;
        Map<String, Map<String, Object>> groupProperties;
    }

    static final Gson gson = new GsonBuilder()
        .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
        .create();

    public static void main(String[] words) throws Exception {
        Asked asked = gson.fromJson(Files.readString(Path.of(words[0])), Asked.class);
        for (Question each : asked.questions) {
            Map<String, Object> answer = new HashMap<>(Map.of("id", each.id));
            try {
                answer.put("value", ask(asked.host, each));
            } catch (Exception error) {
                answer.put("error", error.toString());
            }
            System.out.println(gson.toJson(answer));
        }
        System.exit(0);
    }

    static Object ask(String host, Question each) {
        PostHogConfig config = PostHogConfig.builder(each.token)
            .host(host)
            .personalApiKey(each.secret)
            .localEvaluation(true)
            .sendFeatureFlagEvent(false)
            .preloadFeatureFlags(false)
            .build();
        PostHog sdk = new PostHog();
        sdk.setup(config);
        try {
            sdk.reloadFeatureFlags();
            PostHogFeatureFlagOptions.Builder known = new PostHogFeatureFlagOptions.Builder();
            if (each.personProperties != null) known.personProperties(each.personProperties);
            if (each.groups != null) known.groups(each.groups);
            if (each.groupProperties != null) known.groupProperties(each.groupProperties);
            return sdk.getFeatureFlag(each.distinctId, each.key, known.build());
        } finally {
            sdk.close();
        }
    }
}
