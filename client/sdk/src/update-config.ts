import { isSealpostError } from './errors.ts'

/** What is changed by reading it, deciding, and sending it back with the token that it was read with. */
export interface Config<Read> {
  readonly read: () => Promise<Read>
  readonly write: (read: Read) => Promise<Read>
}

/** Others change the same thing now and then; more often than this in a row nobody does. */
const TRIES = 5

/** Reads anew and decides anew whenever somebody else was faster. */
export async function updateConfig<Read>({ read, write }: Config<Read>): Promise<Read> {
  for (let left = TRIES - 1; ; left -= 1) {
    const current = await read()
    try {
      return await write(current)
    } catch (error) {
      if (left === 0 || !isSealpostError(error, 'services.config_conflict')) throw error
    }
  }
}
