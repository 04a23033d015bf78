// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface DataVexilFeatureFlagRoleAccessConfig extends cdktf.TerraformMetaArguments {
  /**
  * The id of the flag. Set either this or `flag_key`.
  */
  readonly featureFlagId?: string;
  /**
  * The key of the flag. Set either this or its id.
  */
  readonly flagKey?: string;
  /**
  * The project to search. Default: the provider's project.
  */
  readonly projectId?: string;
}
export interface DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccess {
}

export function dataVexilFeatureFlagRoleAccessFeatureFlagRoleAccessToTerraform(struct?: DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccess): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataVexilFeatureFlagRoleAccessFeatureFlagRoleAccessToHclTerraform(struct?: DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccess): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccessOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccess | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccess | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // access_level - computed: true, optional: false, required: false
  public get accessLevel() {
    return this.getStringAttribute('access_level');
  }

  // added_at - computed: true, optional: false, required: false
  public get addedAt() {
    return this.getStringAttribute('added_at');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // role_id - computed: true, optional: false, required: false
  public get roleId() {
    return this.getStringAttribute('role_id');
  }

  // role_name - computed: true, optional: false, required: false
  public get roleName() {
    return this.getStringAttribute('role_name');
  }
}

export class DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccessList extends cdktf.ComplexList {

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccessOutputReference {
    return new DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccessOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* `vexil_feature_flag_role_access`, described in examples/terraform/docs/data-sources/feature_flag_role_access.md
*/
export class DataVexilFeatureFlagRoleAccess extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_feature_flag_role_access";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataVexilFeatureFlagRoleAccess resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataVexilFeatureFlagRoleAccess to import
  * @param importFromId The id of the existing DataVexilFeatureFlagRoleAccess that should be imported. See examples/terraform/docs/data-sources/feature_flag_role_access.md for the id to use
  * @param provider? Optional instance of the provider where the DataVexilFeatureFlagRoleAccess to import is found
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
  * @param options DataVexilFeatureFlagRoleAccessConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataVexilFeatureFlagRoleAccessConfig = {}) {
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
    this._featureFlagId = config.featureFlagId;
    this._flagKey = config.flagKey;
    this._projectId = config.projectId;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // feature_flag_id - computed: false, optional: true, required: false
  private _featureFlagId?: string;
  public get featureFlagId() {
    return this.getStringAttribute('feature_flag_id');
  }
  public set featureFlagId(value: string) {
    this._featureFlagId = value;
  }
  public resetFeatureFlagId() {
    this._featureFlagId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get featureFlagIdInput() {
    return this._featureFlagId;
  }

  // feature_flag_role_access - computed: true, optional: false, required: false
  private _featureFlagRoleAccess = new DataVexilFeatureFlagRoleAccessFeatureFlagRoleAccessList(this, "feature_flag_role_access", false);
  public get featureFlagRoleAccess() {
    return this._featureFlagRoleAccess;
  }

  // flag_key - computed: false, optional: true, required: false
  private _flagKey?: string;
  public get flagKey() {
    return this.getStringAttribute('flag_key');
  }
  public set flagKey(value: string) {
    this._flagKey = value;
  }
  public resetFlagKey() {
    this._flagKey = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get flagKeyInput() {
    return this._flagKey;
  }

  // project_id - computed: false, optional: true, required: false
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

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      feature_flag_id: cdktf.stringToTerraform(this._featureFlagId),
      flag_key: cdktf.stringToTerraform(this._flagKey),
      project_id: cdktf.stringToTerraform(this._projectId),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      feature_flag_id: {
        value: cdktf.stringToHclTerraform(this._featureFlagId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      flag_key: {
        value: cdktf.stringToHclTerraform(this._flagKey),
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
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
