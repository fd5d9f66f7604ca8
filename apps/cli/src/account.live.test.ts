import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ORIGIN, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openAccountTerminal } from './testing.ts'

const world = await openWorld()
const company = await world.company()
const terminal = openAccountTerminal(world, { clientId: '', clientSecret: '' })
const inFolder = (name: string): string => join(terminal.folder, name)
writeFileSync(inFolder('password'), `${company.password}\n`)
writeFileSync(inFolder('phrase'), 'a phrase\n')
writeFileSync(inFolder('wrong'), 'another password\n')

const login = ['--email', company.email, '--app-origin', APP_ORIGIN, '--passphrase-file', 'phrase']
const pem = (...more: readonly string[]) => terminal.run('account', 'pem', ...login, ...more)

test('the key of the account is written for its owner, and the session of the command has ended', async () => {
  expect(await pem('--password-file', 'password', '--out', 'account.pem')).toEqual({
    code: 0,
    out: '',
    logged: 'wrote account.pem',
  })
  expect(statSync(inFolder('account.pem')).mode & 0o777).toBe(0o600)
  const key = createPrivateKey({ key: readFileSync(inFolder('account.pem'), 'utf8'), passphrase: 'a phrase' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
  expect(publicKey).toBe(company.keys.publicKey)
  const sessions = await world.rows('select 1 from login.session_family where user_id = $1 and revoked_at is null', [
    company.userId,
  ])
  expect(sessions).toHaveLength(1)
})

test('a wrong password, a foreign origin and an existing file are refused', async () => {
  const wrong = await pem('--password-file', 'wrong', '--out', 'other.pem')
  expect(wrong).toMatchObject({ code: 1, logged: expect.stringContaining('session.invalid') })
  const elsewhere = await pem(
    '--app-origin',
    'https://elsewhere.example',
    '--password-file',
    'password',
    '--out',
    'o.pem',
  )
  expect(elsewhere.code).toBe(1)
  const existing = await pem('--password-file', 'password', '--out', 'phrase')
  expect(existing).toMatchObject({ code: 1, logged: expect.stringContaining('exists already') })
  expect(await terminal.run('account', 'pem', '--out', 'x')).toMatchObject({ code: 2 })
})
