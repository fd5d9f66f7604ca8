/** The only source of randomness; a platform hands in the real one, a test a seeded one. */
export interface Random {
  bytes(length: number): Uint8Array
}
