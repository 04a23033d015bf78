// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface FeatureFlagRoleAccessConfig extends cdktf.TerraformMetaArguments {
  /**
  * What the role may do with the flag, on services with levels; `none` hides the flag. Default: `editor`, which equals a grant on other services. One of "none", "viewer", "editor", "manager".
  */
  readonly accessLevel?: 'none' | 'viewer' | 'editor' | 'manager' | cdktf.IResolvable;
  /**
  * Whether to adopt an existing live object that equals the configuration, instead of failing.
  */
  readonly adopt?: boolean | cdktf.IResolvable;
  /**
  * The id of the flag: `vexil_feature_flag.NAME.id`.
  */
  readonly featureFlagId: string;
  /**
  * The project of the object. Default: the provider's project.
  */
  readonly projectId?: string;
  /**
  * The role to grant; the only request field.
  */
  readonly roleId: string;
}

/**
* `vexil_feature_flag_role_access`, described in examples/terraform/docs/resources/feature_flag_role_access.md
*/
export class FeatureFlagRoleAccess extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_feature_flag_role_access";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a FeatureFlagRoleAccess resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the FeatureFlagRoleAccess to import
  * @param importFromId The id of the existing FeatureFlagRoleAccess that should be imported. See examples/terraform/docs/resources/feature_flag_role_access.md for the id to use
  * @param provider? Optional instance of the provider where the FeatureFlagRoleAccess to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_feature_flag_role_access", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_feature_flag_role_access`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options FeatureFlagRoleAccessConfig
  */
  public constructor(scope: Construct, id: string, config: FeatureFlagRoleAccessConfig) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_feature_flag_role_access',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    registerConstruct(this);
    this._accessLevel = config.accessLevel;
    this._adopt = config.adopt;
    this._featureFlagId = config.featureFlagId;
    this._projectId = config.projectId;
    this._roleId = config.roleId;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // access_level - computed: true, optional: true, required: false
  private _accessLevel?: string | cdktf.IResolvable;
  public get accessLevel(): 'none' | 'viewer' | 'editor' | 'manager' {
    return this.getStringAttribute('access_level') as 'none' | 'viewer' | 'editor' | 'manager';
  }
  public set accessLevel(value: string | cdktf.IResolvable) {
    this._accessLevel = value;
  }
  public resetAccessLevel() {
    this._accessLevel = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get accessLevelInput() {
    return this._accessLevel;
  }

  // added_at - computed: true, optional: false, required: false
  public get addedAt() {
    return this.getStringAttribute('added_at');
  }

  // adopt - computed: false, optional: true, required: false
  private _adopt?: boolean | cdktf.IResolvable;
  public get adopt() {
    return this.getBooleanAttribute('adopt');
  }
  public set adopt(value: boolean | cdktf.IResolvable) {
    this._adopt = value;
  }
  public resetAdopt() {
    this._adopt = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get adoptInput() {
    return this._adopt;
  }

  // feature_flag_id - computed: false, optional: false, required: true
  private _featureFlagId?: string;
  public get featureFlagId() {
    return this.getStringAttribute('feature_flag_id');
  }
  public set featureFlagId(value: string) {
    this._featureFlagId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get featureFlagIdInput() {
    return this._featureFlagId;
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // project_id - computed: true, optional: true, required: false
  private _projectId?: string;
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // role_id - computed: false, optional: false, required: true
  private _roleId?: string;
  public get roleId() {
    return this.getStringAttribute('role_id');
  }
  public set roleId(value: string) {
    this._roleId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get roleIdInput() {
    return this._roleId;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      access_level: cdktf.stringToTerraform(this._accessLevel),
      adopt: cdktf.booleanToTerraform(this._adopt),
      feature_flag_id: cdktf.stringToTerraform(this._featureFlagId),
      project_id: cdktf.stringToTerraform(this._projectId),
      role_id: cdktf.stringToTerraform(this._roleId),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      access_level: {
        value: cdktf.stringToHclTerraform(this._accessLevel),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      adopt: {
        value: cdktf.booleanToHclTerraform(this._adopt),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      feature_flag_id: {
        value: cdktf.stringToHclTerraform(this._featureFlagId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      role_id: {
        value: cdktf.stringToHclTerraform(this._roleId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
