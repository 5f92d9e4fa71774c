package husk.core;

import husk.model.ExecutionResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// All who want to be told.
final class Observers implements Observer {
  private final List<Observer> observers = new CopyOnWriteArrayList<>();

  void add(Observer observer) {
    observers.add(observer);
  }

  @Override
  public void executed(ExecutionResult result) {
    observers.forEach(observer -> observer.executed(result));
  }

  @Override
  public void started(Duration took) {
    observers.forEach(observer -> observer.started(took));
  }
}
