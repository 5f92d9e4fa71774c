@NullMarked
package husk.backends.host;

import org.jspecify.annotations.NullMarked;
