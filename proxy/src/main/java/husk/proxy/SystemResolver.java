package husk.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The machine's resolver. It blocks the thread it is called on, for as long as it likes; so each
/// question gets a platform thread, and is abandoned when it takes too long.
final class SystemResolver implements Resolver {
  private static final int SECONDS = 10;

  /// Questions at once; those that were abandoned count until they are answered.
  private final Semaphore places = new Semaphore(32);

  @Override
  public List<InetAddress> resolve(String name) throws UnknownHostException, InterruptedException {
    if (!places.tryAcquire(SECONDS, TimeUnit.SECONDS)) {
      throw new UnknownHostException("too many names are being resolved");
    }
    var lookup = new FutureTask<>(() -> List.of(InetAddress.getAllByName(name)));
    Thread.ofPlatform().daemon().name("husk-resolve").start(() -> runAndLeave(lookup));
    return await(lookup);
  }

  private void runAndLeave(FutureTask<?> lookup) {
    try {
      lookup.run();
    } finally {
      places.release();
    }
  }

  private static List<InetAddress> await(FutureTask<List<InetAddress>> lookup)
      throws UnknownHostException, InterruptedException {
    try {
      return lookup.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      throw new UnknownHostException("the resolver did not answer in %d s".formatted(SECONDS));
    } catch (ExecutionException _) {
      throw new UnknownHostException("the name has no address");
    }
  }
}
