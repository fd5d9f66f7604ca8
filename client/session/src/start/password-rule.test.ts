import { expect, test } from 'vitest'
import { passwordProblem } from './password-rule.ts'

test.each([
  ['short', 'tooShort'],
  ['mara@example.com', 'tooObvious'],
  ['MARA@example.com', 'tooObvious'],
  ['aaaaaaaaaaaa', 'tooObvious'],
  ['plum kettle orbit', null],
  ['øre lampe snø', null],
] as const)('%s: %s', (password, problem) => {
  expect(passwordProblem(password, ['mara@example.com', ''])).toBe(problem)
})
