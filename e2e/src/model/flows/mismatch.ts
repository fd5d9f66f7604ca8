/** The model and the code under test disagree. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
}
