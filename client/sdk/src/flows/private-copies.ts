import { digestWrapper } from '@sealpost/crypto'
import { hostPlatform } from '../keys/host.ts'
import type { KeyPins } from '../keys/pins.ts'

/**
 * The own copies of private values that this side has sealed. The server says which answers of a run are private and which
 * copy belongs to which answer; a copy that is remembered here stays private at every place.
 */
export interface PrivateCopies {
  remember(wrapper: string): Promise<void>
  has(wrapper: string): Promise<boolean>
}

export function privateCopies(pins: KeyPins): PrivateCopies {
  return {
    async remember(wrapper) {
      const name = await nameOf(wrapper)
      if (name !== null) await pins.set(name, 'sealed')
    },
    async has(wrapper) {
      const name = await nameOf(wrapper)
      return name !== null && (await pins.get(name)) !== undefined
    },
  }
}

async function nameOf(wrapper: string): Promise<string | null> {
  const digest = await digestWrapper(hostPlatform(), wrapper)
  return digest === null ? null : `private:${digest}`
}
