import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openReceiver, openTerminal } from './testing.ts'

/** A front door that sends every call to another address, with its method and body. */
async function openRedirecting(to: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => response.writeHead(307, { location: to }).end())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

const ACCOUNT_PEM =
  'account pem --email desk@northwind.example --password-file password --app-origin https://portal.example --passphrase-file password --out account.pem'.split(
    ' ',
  )

test.each([['doctor'], ['login', '--no-browser'], ACCOUNT_PEM])(
  'a redirect of the front door is refused and not followed: %s',
  async (...words) => {
    const elsewhere = await openReceiver()
    await using door = await openRedirecting(elsewhere.url)
    using terminal = openTerminal({ SEALPOST_FRONT_DOOR: door.url })
    writeFileSync(join(terminal.folder, 'password'), 'hush-hush')
    terminal.typed = ['eu.a-code']
    const { code, out, logged } = await terminal.run(...words)
    await elsewhere.close()
    expect([code, elsewhere.taken]).toEqual([1, []])
    expect(out + logged).toContain(`${door.url} answers with a redirect`)
  },
)

test('a front door that cannot be reached, or is none, is named', async () => {
  using terminal = openTerminal({ SEALPOST_FRONT_DOOR: 'http://127.0.0.1:1' })
  terminal.typed = ['eu.a-code']
  expect((await terminal.run('login', '--no-browser')).logged).toContain('http://127.0.0.1:1 cannot be reached')
  const other = await openReceiver()
  const door = new URL(other.url).origin
  terminal.environment['SEALPOST_FRONT_DOOR'] = door
  terminal.typed = ['eu.a-code']
  expect((await terminal.run('login', '--no-browser')).logged).toContain('is it the address of the front door?')
  expect((await terminal.run('doctor')).out).toContain('answers, but not as a front door')
  writeFileSync(join(terminal.folder, 'password'), 'hush-hush')
  // No password is derived with what such a server asks for.
  expect(await terminal.run(...ACCOUNT_PEM)).toMatchObject({
    code: 1,
    logged: expect.stringContaining('report the server'),
  })
  await other.close()
})
