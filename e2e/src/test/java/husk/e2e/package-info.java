/// Tests of the built product, as a user runs it: the `husk` command, its daemon, real kernels.
@NullMarked
package husk.e2e;

import org.jspecify.annotations.NullMarked;
