package husk.backends.isolation;

import husk.spi.Profile;

/// Where attacks are made from: each profile as this user, and one as a user without any rights.
enum Place {
  PERMISSIVE(Profile.PERMISSIVE),
  MODERATE(Profile.MODERATE),
  RESTRICTIVE(Profile.RESTRICTIVE),
  UNPRIVILEGED(Profile.MODERATE);

  private final Profile profile;

  Place(Profile profile) {
    this.profile = profile;
  }

  Profile profile() {
    return profile;
  }
}
