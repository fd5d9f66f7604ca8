import { close, openSync, write, writeSync } from 'node:fs'

export interface LogDestination {
  write(line: string): void
  /** Passes everything written so far to the operating system, without waiting for it. */
  flush(): void
  close(): Promise<void>
  /** Lines discarded because the reader of the log was too slow, or the disk was full. */
  droppedLines(): number
}

const STDOUT = 1
const CHUNK_LENGTH = 64_000
const FLUSH_AFTER_MS = 100
const UNREAD_LIMIT = 64 * 1024 * 1024
const RETRY_AFTER_MS = 20
const EXIT_RETRIES = 50

/**
 * The log is buffered: lines are collected into chunks of 64 kB or 100 ms and written off the event loop. A write per
 * line costs more than making the line, and a stuck reader must not stop the service. An `error` line, `close` and the
 * end of the process, also by an uncaught exception, flush; only SIGKILL and power loss can take the last 100 ms.
 * (sonic-boom, pino's own destination, measures every line and, at exit, waits for ever on a reader that is gone.)
 */
export function openLogDestination(target: string): LogDestination {
  const fd = target === 'stdout' ? STDOUT : openLogFile(target)
  let gathered = ''
  let dropped = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null
  let isDue = false
  let isClosed = false

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    isDue = writing !== null
    if (isDue || gathered === '') return
    const chunk = gathered
    gathered = ''
    writing = writeAll(fd, Buffer.from(chunk)).then((written) => {
      if (!written) dropped += countLines(chunk)
      writing = null
      // Not the few lines since: flushing those at once would again mean a write per line.
      if (isDue || gathered.length >= CHUNK_LENGTH) flush()
    })
  }
  async function drain(): Promise<void> {
    flush()
    if (writing === null) return
    await writing
    await drain()
  }
  function flushAtExit(): void {
    // libuv finishes a pending chunk: it joins its threads before the process ends.
    writeAtExit(fd, Buffer.from(gathered))
    gathered = ''
  }
  process.on('exit', flushAtExit)

  return {
    write(line) {
      // The descriptor of a closed log may have been reused by now.
      if (isClosed || gathered.length > UNREAD_LIMIT) {
        dropped += 1
        return
      }
      gathered += line
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref()
      if (gathered.length >= CHUNK_LENGTH && writing === null) flush()
    },
    flush,
    droppedLines: () => dropped,
    async close() {
      await drain()
      isClosed = true
      process.off('exit', flushAtExit)
      if (fd !== STDOUT) await new Promise((resolve) => close(fd, resolve))
    },
  }
}

function openLogFile(path: string): number {
  try {
    return openSync(path, 'a')
  } catch (error) {
    throw new Error(`the log cannot be written to ${path}: check that its folder exists and may be written`, {
      cause: error,
    })
  }
}

/** Whether everything was written; a failing log cannot be reported anywhere. */
async function writeAll(fd: number, bytes: Buffer): Promise<boolean> {
  let rest = bytes
  while (rest.length > 0) {
    const { error, written } = await writeSome(fd, rest)
    if (error !== null && error.code !== 'EAGAIN') return false
    if (error !== null) await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
    rest = rest.subarray(written)
  }
  return true
}

function writeSome(fd: number, bytes: Buffer): Promise<{ error: NodeJS.ErrnoException | null; written: number }> {
  return new Promise((resolve) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) =>
      resolve({ error, written: error === null ? written : 0 }),
    )
  })
}

function writeAtExit(fd: number, bytes: Buffer): void {
  let rest = bytes
  for (let attempt = 0; rest.length > 0 && attempt < EXIT_RETRIES;) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      attempt += 1
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_AFTER_MS)
    }
  }
}

function countLines(chunk: string): number {
  return chunk.split('\n').length - 1
}
