import { join } from 'node:path'
import { frontDoorProgram } from '@sealpost/front-door/build/program'
import { bundleProgram } from '@sealpost/process/build'
import { regionProgram } from '@sealpost/region/build/program'

/** `npm run build`: the front door and the region as folders of JavaScript, in `dist/`. */
const into = join(import.meta.dirname, '../../../dist')
for (const program of [frontDoorProgram, regionProgram]) {
  await bundleProgram(program, into)
  console.log(`dist/${program.name}: node dist/${program.name}/main.js`)
}
