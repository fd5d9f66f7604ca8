// WebCrypto hashes complete buffers only; a streamed file needs an incremental hash.

/** Incremental SHA-256 (FIPS 180-4). */
export class Sha256 {
  readonly #state = Uint32Array.from(INITIAL)
  readonly #words = new Uint32Array(64)
  readonly #block = new Uint8Array(64)
  #filled = 0
  #bytes = 0

  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    let at = 0
    while (at < bytes.length) {
      const taken = Math.min(64 - this.#filled, bytes.length - at)
      this.#block.set(bytes.subarray(at, at + taken), this.#filled)
      this.#filled += taken
      at += taken
      if (this.#filled === 64) this.#compress()
    }
  }

  /** Lower-case hex. `update` must not be called afterwards. */
  digest(): string {
    const bits = this.#bytes * 8
    const padding = new Uint8Array(((119 - this.#filled) % 64) + 9)
    padding[0] = 0x80
    const length = new DataView(padding.buffer, padding.length - 8)
    length.setUint32(0, Math.floor(bits / 2 ** 32))
    length.setUint32(4, bits % 2 ** 32)
    this.update(padding)
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('')
  }

  #compress(): void {
    const words = this.#words
    const view = new DataView(this.#block.buffer)
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(i * 4)
    for (let i = 16; i < 64; i += 1) {
      const [early, late] = [words[i - 15] ?? 0, words[i - 2] ?? 0]
      const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
      const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
      words[i] = (words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1
    }
    this.#filled = 0
    this.#rounds()
  }

  #rounds(): void {
    const state = this.#state
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let i = 0; i < 64; i += 1) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + (this.#words[i] ?? 0)) | 0
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    const added = [a, b, c, d, e, f, g, h]
    for (let i = 0; i < 8; i += 1) state[i] = (state[i] ?? 0) + (added[i] ?? 0)
  }
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

const PRIMES = firstPrimes(64)
/** The first 32 bits of the fractions of square and cube roots of the first primes. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next += 1)
    if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  return primes
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}
