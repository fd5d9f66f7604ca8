import { rule } from '../rule.ts'

const DRAWERS = /(^|\/)(utils?|helpers?|common|misc|shared)(\.tsx?$|\/)/i

export const names = rule('files are named after their content', (place, report) => ({
  Program(node) {
    const [, , drawer] = DRAWERS.exec(place.path) ?? []
    if (drawer !== undefined) report(node, `"${drawer}" says nothing: name the file after what it does`)
  },
}))
