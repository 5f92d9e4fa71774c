package husk.wire;

import husk.model.Death;
import husk.model.KernelStatus;
import husk.model.Language;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/// The types that Husk writes its own way: enums by their wire names, instants as Python's
/// `isoformat`, paths as plain strings, durations as seconds.
final class HuskTypes extends SimpleModule {
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSxxx").withZone(ZoneOffset.UTC);

  HuskTypes() {
    super("husk");
    asString(KernelStatus.class, KernelStatus::wireName, KernelStatus::of);
    asString(ResultStatus.class, ResultStatus::wireName, ResultStatus::of);
    asString(Death.Cause.class, Death.Cause::wireName, Death.Cause::of);
    asString(Problem.Code.class, Problem.Code::wireName, Problem.Code::of);
    asString(Language.class, Language::wireName, Language::of);
    asString(Instant.class, HuskTypes::isoFormat, HuskTypes::instant);
    asString(Path.class, Path::toString, Path::of);
    addSerializer(Duration.class, new DurationWriter());
    addDeserializer(Duration.class, new DurationReader());
  }

  /// For example `2026-01-02T03:04:05.123456+00:00`.
  static String isoFormat(Instant instant) {
    return MICROSECONDS.format(instant);
  }

  /// Any ISO-8601 date and time; one without an offset is taken as UTC.
  private static Instant instant(String text) {
    return switch (DateTimeFormatter.ISO_DATE_TIME.parseBest(
        text, OffsetDateTime::from, LocalDateTime::from)) {
      case OffsetDateTime at -> at.toInstant();
      case LocalDateTime at -> at.toInstant(ZoneOffset.UTC);
      default -> throw new IllegalArgumentException("not a date and time");
    };
  }

  private <T> void asString(Class<T> type, Function<T, String> write, Function<String, T> read) {
    addSerializer(type, new StringWriter<>(type, write));
    addDeserializer(type, new StringReader<>(type, read));
  }

  private static final class StringWriter<T> extends StdScalarSerializer<T> {
    private final Function<T, String> write;

    StringWriter(Class<T> type, Function<T, String> write) {
      super(type);
      this.write = write;
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializationContext context) {
      out.writeString(write.apply(value));
    }
  }

  private static final class StringReader<T> extends StdScalarDeserializer<T> {
    private final Function<String, T> read;

    StringReader(Class<T> type, Function<String, T> read) {
      super(type);
      this.read = read;
    }

    @Override
    public T deserialize(JsonParser in, DeserializationContext context) {
      String text = in.getValueAsString();
      if (text == null) {
        throw context.weirdStringException(in.getString(), handledType(), "expected a string");
      }
      try {
        return read.apply(text);
      } catch (IllegalArgumentException | DateTimeException e) {
        throw context.weirdStringException(text, handledType(), "not a value of this type");
      }
    }
  }

  private static final class DurationWriter extends StdScalarSerializer<Duration> {
    DurationWriter() {
      super(Duration.class);
    }

    @Override
    public void serialize(Duration value, JsonGenerator out, SerializationContext context) {
      if (value.toNanosPart() == 0) {
        out.writeNumber(value.toSeconds());
      } else {
        var seconds = BigDecimal.valueOf(value.toSeconds());
        out.writeNumber(
            seconds.add(BigDecimal.valueOf(value.toNanosPart(), 9)).stripTrailingZeros());
      }
    }
  }

  private static final class DurationReader extends StdScalarDeserializer<Duration> {
    private static final double LONGEST = 1e12;

    DurationReader() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser in, DeserializationContext context) {
      if (!in.currentToken().isNumeric()) {
        throw context.weirdStringException(
            in.getString(), Duration.class, "expected a number of seconds");
      }
      double seconds = in.getDoubleValue();
      if (!(Math.abs(seconds) <= LONGEST)) {
        throw context.weirdNumberException(seconds, Duration.class, "too many seconds");
      }
      var nanos = BigDecimal.valueOf(seconds).movePointRight(9).toBigInteger();
      var parts = nanos.divideAndRemainder(BigInteger.valueOf(1_000_000_000));
      return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
    }
  }
}
