import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, 'testing/ipv6-network.ts')
const SAME_NETWORK = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2:aaaa:bbbb:cccc:dddd']
const OTHERS = ['2001:db8:1:3::1', '127.0.0.1', '127.0.0.2']

test('connections of one IPv6 /64 are those of one address, whichever of its addresses they come from', async ({
  skip,
}) => {
  const reason = await whyNoNetwork()
  skip(reason !== null, `not run: ${reason ?? ''}`)
  const addresses = SAME_NETWORK.map((address) => `ip -6 addr add ${address}/128 dev lo nodad`)
  const other = `ip -6 addr add ${OTHERS[0]}/128 dev lo nodad`
  const script = ['ip link set lo up', ...addresses, other, 'exec "$0" "$@"'].join(' && ')
  const { stdout } = await run('unshare', [
    ...NAMESPACE,
    'sh',
    '-c',
    script,
    process.execPath,
    PROGRAM,
    ...SAME_NETWORK,
    ...OTHERS,
  ])
  expect(JSON.parse(stdout)).toEqual([true, true, false, true, true, true])
})

/** A network in which nothing else runs, and which ends with its process. */
const NAMESPACE = ['--user', '--map-root-user', '--net', '--']

async function whyNoNetwork(): Promise<string | null> {
  try {
    await run('unshare', [...NAMESPACE, 'ip', '-6', 'addr', 'add', '2001:db8::1/128', 'dev', 'lo', 'nodad'])
    return null
  } catch (error) {
    return `no network namespace with IPv6 can be made here: ${error instanceof Error ? error.message : String(error)}`
  }
}
