import { autopilotRequest, type AutopilotSettings } from '@blog-content/payload-schemas';

/** The settings of an autopilot's row. */
export function settingsOf(row: { readonly enabled: boolean; readonly settings: unknown }): AutopilotSettings {
  return autopilotRequest.parse({ ...(row.settings as object), enabled: row.enabled });
}
