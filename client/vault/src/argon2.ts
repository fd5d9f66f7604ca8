import type { Argon2id } from '@sealpost/crypto'
import { argon2id as argon2idOfWasm } from 'hash-wasm'

/** In WebAssembly, so that browsers and Node run the same code. */
export const argon2id: Argon2id = ({ password, salt, memoryKib, passes, lanes, outputBytes }) =>
  argon2idOfWasm({
    password,
    salt,
    memorySize: memoryKib,
    iterations: passes,
    parallelism: lanes,
    hashLength: outputBytes,
    outputType: 'binary',
  })
