const LEAST_LETTERS = 10

/** Length is what makes guessing slow; rules about digits and signs only make passwords hard to remember. */
export function passwordProblem(password: string, known: readonly string[]): 'tooShort' | 'tooObvious' | null {
  if (password.length < LEAST_LETTERS) return 'tooShort'
  const plain = password.toLowerCase()
  const isKnown = known.some((word) => word !== '' && plain === word.toLowerCase())
  return isKnown || new Set(plain).size < 4 ? 'tooObvious' : null
}
