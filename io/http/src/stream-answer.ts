/** A stream of server-sent events as a module writes it. */
export interface EventStream {
  /** Writes at once. False: the reader is behind, so write no more before `onDrain` is called. */
  write(text: string): boolean
  /** Writes the last text and ends the stream. */
  end(text: string): void
}

export interface StreamWatch {
  /** The reader has taken what was written. */
  onDrain(): void
  /** Called once: the reader left, or the stream was ended. */
  onClosed(): void
}

/**
 * The answer of a route with `success.streams`. `open` is called when the head has been sent. See [Note: streams are not
 * in flight].
 */
export class StreamAnswer {
  readonly open: (stream: EventStream) => StreamWatch

  constructor(open: (stream: EventStream) => StreamWatch) {
    this.open = open
  }
}
