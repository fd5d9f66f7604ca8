import type { Verdict } from './verdict.ts'

const LISTED = 20
const WIDTH = 120

export function formatReport({ standings, unknown }: Verdict, listsAll: boolean): readonly string[] {
  const shown = standings.filter(({ standing }) => standing === 'shown').length
  return [
    ...formatAreas(standings),
    ...formatList('failing', standings, true),
    ...formatList('missing', standings, listsAll),
    ...unknown.map(({ id, test }) => `unknown rule ${id} in the name of the test "${test}": see docs/requirements.tsv`),
    `conformance: ${shown} of ${standings.length} shown`,
  ]
}

type Standings = Verdict['standings']

function formatAreas(standings: Standings): readonly string[] {
  const areas = [...new Set(standings.map(({ requirement }) => requirement.area))].toSorted()
  return areas.map((area) => {
    const inArea = standings.filter(({ requirement }) => requirement.area === area)
    const shown = inArea.filter(({ standing }) => standing === 'shown').length
    return `${area.padEnd(10)} ${String(shown).padStart(3)} of ${String(inArea.length).padStart(3)}`
  })
}

function formatList(standing: 'failing' | 'missing', standings: Standings, listsAll: boolean): readonly string[] {
  const found = standings.filter((item) => item.standing === standing)
  if (found.length === 0) return []
  const listed = listsAll ? found : found.slice(0, LISTED)
  const left = found.length - listed.length
  const title = standing === 'failing' ? 'named by a failing test, or in a failing file:' : 'not yet shown:'
  return [
    title,
    ...listed.map(({ requirement: { id, since, text } }) => `  ${id} (${since}) ${text}`.slice(0, WIDTH)),
    ...(left > 0 ? [`  and ${left} more: --all lists them`] : []),
  ]
}
