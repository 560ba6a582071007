export { type AuditType, recordAudit } from '../audit/index.ts'
