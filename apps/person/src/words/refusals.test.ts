import { KeyChangedError, SealingError, UntrustedAnswerError } from '@sealpost/sdk'
import { uiWords } from '@sealpost/ui/words/en'
import { VaultError } from '@sealpost/vault'
import { problemText } from '@sealpost/web-app/problem-text'
import { workerFailure } from '@sealpost/web-app/worker'
import { expect, test } from 'vitest'
import { refusals } from './en/shell.ts'

const UNSAFE_PASSWORD = 'The server wants your password to be used in an unsafe way, so nothing was sent.'
const NOT_YOUR_KEY = 'The server answered with something else than your key, so nothing was opened.'
const NOT_AGREED = 'The server answered with something that this device did not agree to, so nothing was sent.'
const NOT_MADE = 'The server shows a connection that none of your devices made, so nothing was sent.'

// What the SDK finds out about the answers of a hostile server stands in the tests of `e2e/src/hostile-server`.
test.each([
  [new VaultError('too_weak'), UNSAFE_PASSWORD],
  [new VaultError('too_costly'), UNSAFE_PASSWORD],
  [new VaultError('kdf_invalid'), UNSAFE_PASSWORD],
  [new VaultError('wrong_purpose'), NOT_YOUR_KEY],
  [new VaultError('not_a_key_wrap'), NOT_YOUR_KEY],
  [new VaultError('wrong_key'), 'That did not open your data.'],
  [new UntrustedAnswerError('account_type', 'a'), NOT_AGREED],
  [new UntrustedAnswerError('own_key', 'a'), NOT_AGREED],
  [new UntrustedAnswerError('other_service', 's'), NOT_AGREED],
  [new UntrustedAnswerError('connection_unknown', 'c'), NOT_MADE],
  [new UntrustedAnswerError('connection_forged', 'c'), NOT_MADE],
  [
    new UntrustedAnswerError('connection_outdated', 'c'),
    'The server shows an older state of a connection than this device knows, so nothing was sent.',
  ],
  [
    new UntrustedAnswerError('connection_ended', 'c'),
    'The server shows a connection that you have ended, so nothing was sent.',
  ],
  [
    new UntrustedAnswerError('mapping_unknown', 'c'),
    'The server says that a company follows this value, and you never gave it, so nothing was sent.',
  ],
  [
    new UntrustedAnswerError('asked_otherwise', 'c'),
    'The company asks for something else now than you were shown, so nothing was sent.',
  ],
  [
    new UntrustedAnswerError('plaintext_not_agreed', 'idw_1'),
    'This app would get your data as plain text, and you have not agreed to that, so nothing was sent.',
  ],
  [
    new KeyChangedError('S', 'a', 'b'),
    'The key of this company is another one than this device knows, so nothing was sent.',
  ],
  [new SealingError('not_a_public_key'), NOT_AGREED],
  [
    new SealingError('wrong_key'),
    'This cannot be opened: it was damaged on its way, or sealed to another key than yours.',
  ],
])('%s is told in the words of the app', (error, words) => {
  expect(problemText(refusals, uiWords, workerFailure(error)).what).toBe(words)
})
