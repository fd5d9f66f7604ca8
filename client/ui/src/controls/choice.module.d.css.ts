declare const classes: {
  readonly about: string
  readonly choice: string
  readonly choices: string
  readonly legend: string
  readonly name: string
  readonly tick: string
}
export default classes
