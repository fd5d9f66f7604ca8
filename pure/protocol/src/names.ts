/** `company_data.whoami` → `CompanyDataWhoami`, `flow_run_turn` → `FlowRunTurn` */
export function pascal(id: string): string {
  return id
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
