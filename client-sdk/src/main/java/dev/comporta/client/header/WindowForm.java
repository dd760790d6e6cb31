package dev.comporta.client.header;

import java.util.List;

/** A grammar in which windows are written. Never throws; immutable. */
@FunctionalInterface
interface WindowForm {

  /** The windows that a response tells in this form, in their order; none when it tells none. */
  List<Window> read(Reading reading);
}
