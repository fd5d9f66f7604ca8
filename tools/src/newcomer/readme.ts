/** The commands of a README that a newcomer types, as they are printed there. */
export interface NewcomerCommands {
  /** Before the second terminal; the last one keeps running. */
  readonly first: readonly string[]
  readonly second: readonly string[]
  /** In a project of their own, beside a running installation. */
  readonly packages: readonly string[]
  /** Files that the text asks to write by hand before the first value. */
  readonly files: number
}

/** Blocks are marked: `sh first`, `sh second`, `sh packages`. A line may have several commands, joined by `&&`. */
export function readCommands(readme: string): NewcomerCommands {
  const start = readme.indexOf('```sh first')
  const end = readme.indexOf('```', readme.indexOf('```sh second') + 3)
  return {
    first: commandsIn(readme, 'first'),
    second: commandsIn(readme, 'second'),
    packages: commandsIn(readme, 'packages'),
    files: [...readme.slice(start, end).matchAll(/\b(?:save|create|write)\b[^.]*\b(?:as|file)\b/gi)].length,
  }
}

function commandsIn(readme: string, name: string): readonly string[] {
  const [, block] = new RegExp(`^\`\`\`sh ${name}\n(.+?)^\`\`\`$`, 'ms').exec(readme) ?? []
  if (block === undefined) throw new Error(`README.md has no block \`\`\`sh ${name}`)
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '')
    .flatMap((line) => line.split(' && '))
}
