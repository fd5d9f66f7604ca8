import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openKeyboard } from './keyboard.ts'

test('lines that come together answer one question after the other; then there are none', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ask = openKeyboard(input, output)
  input.end('first\nsecond\n\n')
  expect([await ask('A? '), await ask('B? '), await ask('C? '), await ask('D? ')]).toEqual(['first', 'second', '', ''])
  output.end()
  expect(await text(output)).toMatch(/A\? .*B\? .*C\? .*D\? /s)
})

test('a line that comes later answers the question that waits for it', async () => {
  const input = new PassThrough()
  const ask = openKeyboard(input, new PassThrough())
  const first = ask('A? ')
  input.write('one\n')
  expect(await first).toBe('one')
  const second = ask('B? ')
  input.write('two\n')
  expect(await second).toBe('two')
  const third = ask('C? ')
  input.end()
  expect(await third).toBe('')
})
