/** The only source of randomness; a platform passes in the real one, a test a seeded one. */
export interface Random {
  bytes(length: number): Uint8Array
}
