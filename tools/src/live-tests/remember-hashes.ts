import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Ended = (error: Error | null, hash: Buffer) => void

const { scrypt } = crypto
const known = new Map<string, Buffer>()

/**
 * Preloaded by the workers of the live tests. Their accounts have few passwords and salts in turn (`setPassword` of
 * testkit), and each login computes the same scrypt hash again, which was most of the CPU time of a login. The function is
 * pure, so the second answer for the same password, salt and cost is that of the first. Apps that run as processes of
 * their own compute all of theirs.
 */
function rememberedScrypt(password: string, salt: Uint8Array, bytes: number, cost: ScryptOptions, ended: Ended): void {
  const name = JSON.stringify([password, Buffer.from(salt).toString('base64'), bytes, cost])
  const hash = known.get(name)
  // A copy, because a caller may overwrite what it gets.
  if (hash !== undefined) return void setImmediate(ended, null, Buffer.from(hash))
  scrypt(password, salt, bytes, cost, (error, made) => {
    if (error === null) known.set(name, Buffer.from(made))
    ended(error, made)
  })
}

Object.assign(crypto, { scrypt: rememberedScrypt })
syncBuiltinESMExports()
