import { join } from 'node:path'
import { forwarderProgram } from '@sealpost/forwarder/build/program'
import { frontDoorProgram } from '@sealpost/front-door/build/program'
import { bundleProgram } from '@sealpost/process/build'
import { regionProgram } from '@sealpost/region/build/program'

/** `npm run build`: the front door, the region and the forwarder as folders of JavaScript, in `dist/`. */
const into = join(import.meta.dirname, '../../../dist')
for (const program of [frontDoorProgram, regionProgram, forwarderProgram]) {
  await bundleProgram(program, into)
  console.log(`dist/${program.name}: node dist/${program.name}/main.js`)
}
